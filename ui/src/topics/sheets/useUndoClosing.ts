import { useNavigate } from 'react-router-dom';
import { useUndoClosingMutation } from '@/api/generated';
import { useSubmit } from '@/shared/forms/useSubmit';
import { detailsOf } from '@/shared/records/sheetAddresses';

/** Undo the user's own closing, and go on recording on the sheet. */
export function useUndoClosing() {
  const navigate = useNavigate();
  const [undoClosing] = useUndoClosingMutation();
  const { submit, pending } = useSubmit();
  async function undo(sheet: { id: number }) {
    const undone = await submit(() => undoClosing({ sheetId: sheet.id }), {
      success: 'sheets.undoClosing.done',
    });
    if (undone.ok) navigate(detailsOf(sheet));
  }
  return { undo, pending };
}
