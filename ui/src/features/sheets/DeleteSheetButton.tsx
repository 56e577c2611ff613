import { Button, Text } from '@mantine/core';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useNavigate } from 'react-router-dom';
import { etag } from '@/api/etag';
import { type SheetView, useDeleteSheetMutation } from '@/api/generated';
import { useConfirm } from '@/components/Confirm';
import { fullName } from '@/components/fullName';
import { useSubmit } from '@/components/useSubmit';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';

/** Delete a sheet and all that was recorded on it, for those who may. */
export function DeleteSheetButton({ sheet }: { sheet: SheetView }) {
  const t = useText();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const [deleteSheet] = useDeleteSheetMutation();
  const { submit, pending } = useSubmit();
  const mayDelete = useCan(sheet.closed ? 'sheets.delete_closed' : 'sheets.delete_open');
  if (!mayDelete) return null;

  async function remove() {
    const details = sheet.consumptions.reduce((sum, day) => sum + day.details, 0);
    const sure = await confirm({
      question: 'sheets.delete.question',
      action: 'sheets.delete',
      danger: true,
      children: <Text>{t('sheets.delete.what', { patient: fullName(sheet.patient), details })}</Text>,
    });
    if (!sure) return;
    const deleted = await submit(() => deleteSheet({ sheetId: sheet.id, 'If-Match': etag(sheet) }), {
      success: 'sheets.deleted',
    });
    if (deleted.ok)
      navigate(sheet.closed ? '/consumption-sheets/closed' : '/consumption-sheets', { replace: true });
  }

  return (
    <Button
      variant="subtle"
      color="red"
      leftSection={<IconTrash size={20} aria-hidden />}
      loading={pending}
      onClick={remove}
    >
      {t('sheets.delete')}
    </Button>
  );
}
