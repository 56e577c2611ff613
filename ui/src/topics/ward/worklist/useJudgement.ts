import { type Oddity, useJudgeRightMutation, useUndoJudgementMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { toast } from '@/shared/ui/toast';
import { focusGroup } from './focusGroup';

interface Judged {
  kind: Oddity;
  detailId?: number;
  sheetId?: number;
  outboxId?: number;
}

const groupOf = ({ detailId, outboxId }: Judged) =>
  detailId !== undefined ? 'lines' : outboxId !== undefined ? 'unsent' : 'sheets';

/** Judge a line, sheet or device right; the toast undoes it. */
export function useJudgement(judged: Judged) {
  const { kind, detailId, sheetId, outboxId } = judged;
  const t = useText();
  const [judgeRight] = useJudgeRightMutation();
  const [undoJudgement] = useUndoJudgementMutation();
  const { submit, pending } = useSubmit();

  async function judge() {
    const done = await submit(() =>
      judgeRight({ judgementDraft: { kind, detail_id: detailId, sheet_id: sheetId, outbox_id: outboxId } }),
    );
    if (!done.ok) return;
    focusGroup(groupOf(judged));
    const hide = toast.success(t('worklist.judged'), {
      action: {
        label: t('details.undo'),
        run: () => {
          hide();
          undoJudgement(judged);
        },
      },
    });
  }

  return { judge, pending };
}
