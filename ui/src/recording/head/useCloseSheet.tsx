import { Suspense } from 'react';
import { useNavigate } from 'react-router-dom';
import { useDownloadMutation } from '@/api/download';
import { etag } from '@/api/etag';
import { type SheetView, useCloseSheetMutation } from '@/api/generated';
import { useLazyListMissedChargesQuery, useLazySummarizeSheetQuery } from '@/api/lazy';
import { withLaterTexts } from '@/i18n/messages';
import { useText } from '@/i18n/useText';
import { isUnsent } from '@/outbox/outboxSlice';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { settled } from '@/shared/forms/useUnsavedChangesPrompt';
import { fullName } from '@/shared/records/fullName';
import { lazyPart } from '@/shared/ui/lazyPart';
import { toast } from '@/shared/ui/toast';
import { useAppStore } from '@/state/storeHooks';
import { paperOf } from '@/topics/sheets/paperOf';
import { useUndoClosing } from '@/topics/sheets/useUndoClosing';

const loadPreview = withLaterTexts(() => import('./ClosingPreview'));
const ClosingPreview = lazyPart(loadPreview);

interface Options {
  /** Go to a line that may need correction first. */
  onMend: (detailId: number) => void;
  /** Record lines that were used at this time first; null is now. */
  onRecordAt: (moment: string | null) => void;
  /** Record a product first. */
  onRecord: (productId: number) => void;
  onSend: () => Promise<void>;
}

/**
 * Close the sheet exactly as the question showed it.
 *
 * If another user recorded something meanwhile, the user is asked again. Unsent entries of this device are sent before,
 * and the sheet is not closed while any are left.
 */
export function useCloseSheet(sheet: SheetView, { onMend, onRecordAt, onRecord, onSend }: Options) {
  const t = useText();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const [summarizeSheet] = useLazySummarizeSheetQuery();
  const [listMissedCharges] = useLazyListMissedChargesQuery();
  const [closeSheet] = useCloseSheetMutation();
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();
  const { undo } = useUndoClosing();
  const store = useAppStore();
  const unsent = () =>
    store.getState().outbox.lines.filter((line) => line.sheetId === sheet.id && isUnsent(line)).length;
  async function close() {
    if (unsent() > 0) await onSend();
    if (unsent() > 0) return void toast.error(t('outbox.notClosed', { count: unsent() }));
    // The preview is loaded before the question opens. If loading fails, the error page reports it.
    // Without an answer about missed charges nothing is asked about them.
    const [summed, missed, preview] = await Promise.all([
      submit(() => summarizeSheet({ sheetId: sheet.id })),
      listMissedCharges({ sheetId: sheet.id }),
      loadPreview().catch(() => undefined),
    ]);
    if (!summed.ok) return;
    // Drawn with the question, never after it: no button is pressed before its figures are there.
    const Preview = preview?.default ?? ClosingPreview;
    let correct: (() => void) | undefined;
    let prints = false;
    const sure = await confirm({
      question: 'sheets.close.question',
      action: 'sheets.close.confirm',
      other: {
        action: 'sheets.close.confirmPrint',
        run: () => {
          prints = true;
        },
      },
      children: (decline) => {
        const first = (action: () => void) => {
          correct = action;
          decline();
        };
        return (
          <Suspense>
            <Preview
              sheet={sheet}
              summary={summed.data}
              missed={missed.data?.items}
              onMend={(detailId) => first(() => onMend(detailId))}
              onShow={(id) => first(() => show(id))}
              onRecordAt={(moment) => first(() => onRecordAt(moment))}
              onRecord={(productId) => first(() => onRecord(productId))}
            />
          </Suspense>
        );
      },
    });
    // After the dialog has restored the focus.
    if (correct) window.setTimeout(correct);
    if (!sure) return;
    // The question listed them.
    const acknowledged = [
      summed.data.unlisted_items.length > 0 && 'unlisted_items.open',
      sheet.patient.unidentified && 'patient.unidentified',
      summed.data.incomplete_implants.length > 0 && 'implants.incomplete',
    ].filter(Boolean);
    const done = await submit(
      () =>
        closeSheet({
          sheetId: sheet.id,
          'If-Match': etag(summed.data),
          acknowledged: acknowledged.join(',') || undefined,
        }),
      {
        onProblem: ({ status }) => {
          if (status === 412) toast.error(t('sheets.close.changed'));
          return status === 412;
        },
      },
    );
    if (!done.ok) return;
    navigate('/consumption-sheets', { state: settled });
    const print = () => submit(() => download(paperOf(sheet.id, t)));
    toast.success(t('sheets.close.done'), {
      detail: t('sheets.close.doneOf', { patient: fullName(sheet.patient), room: sheet.room.name }),
      autoClose: 20_000,
      other: { label: t('action.print'), run: print },
      action: { label: t('details.undo'), run: () => undo(sheet) },
    });
    if (prints) await print();
  }

  return { close, pending };
}

/** Go to an element of the page and focus it. */
function show(id: string) {
  const element = document.getElementById(id);
  element?.scrollIntoView({ block: 'center' });
  element?.focus({ preventScroll: true });
}
