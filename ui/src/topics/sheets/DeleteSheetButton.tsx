import { etag } from '@/api/etag';
import { type SheetView, useDeleteSheetMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { DeleteButton } from '@/shared/forms/DeleteButton';
import { fullName } from '@/shared/records/fullName';

/**
 * Delete a sheet with all its lines, if permitted.
 *
 * Ward staff may delete only a sheet without lines.
 */
export function DeleteSheetButton({ sheet }: { sheet: SheetView }) {
  const t = useText();
  const [deleteSheet] = useDeleteSheetMutation();
  const details = sheet.consumptions.reduce((sum, day) => sum + day.details, 0);
  const isEmpty = !sheet.closed && details === 0;
  const mayDelete = useCan(sheet.closed ? 'sheets.delete_closed' : 'sheets.delete_open');
  const mayDeleteEmpty = useCan('sheets.delete_empty');
  if (!mayDelete && !(isEmpty && mayDeleteEmpty)) return null;
  return (
    <DeleteButton
      label="sheets.delete"
      question="sheets.delete.question"
      success="sheets.deleted"
      what={t('sheets.delete.what', { patient: fullName(sheet.patient), details })}
      run={() => deleteSheet({ sheetId: sheet.id, 'If-Match': etag(sheet) })}
      after={sheet.closed ? '/consumption-sheets/closed' : '/consumption-sheets'}
    />
  );
}
