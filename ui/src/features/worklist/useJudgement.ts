import { type Oddity, useJudgeRightMutation, useUndoJudgementMutation } from '@/api/generated';
import { useSubmit } from '@/components/forms/useSubmit';
import { toast } from '@/components/ui/toast';
import { useText } from '@/i18n/useText';
import { focusGroup } from './focusGroup';

interface Judged {
  kind: Oddity;
  detailId?: number;
  sheetId?: number;
}

/** Judge a line or sheet right; the toast undoes it. */
export function useJudgement({ kind, detailId, sheetId }: Judged) {
  const t = useText();
  const [judgeRight] = useJudgeRightMutation();
  const [undoJudgement] = useUndoJudgementMutation();
  const { submit, pending } = useSubmit();

  async function judge() {
    const done = await submit(() =>
      judgeRight({ judgementDraft: { kind, detail_id: detailId, sheet_id: sheetId } }),
    );
    if (!done.ok) return;
    focusGroup(detailId === undefined ? 'sheets' : 'lines');
    const hide = toast.success(t('worklist.judged'), {
      action: {
        label: t('details.undo'),
        run: () => {
          hide();
          undoJudgement({ kind, detailId, sheetId });
        },
      },
    });
  }

  return { judge, pending };
}
