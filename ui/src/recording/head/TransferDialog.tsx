import { Button, Group, Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { etag } from '@/api/etag';
import { type SheetView, useTransferPatientMutation, useUndoTransferMutation } from '@/api/generated';
import { toProblem } from '@/api/problem';
import { useHospitalClock } from '@/i18n/hospitalClock';
import { useText } from '@/i18n/useText';
import { zonedTimeToIso } from '@/i18n/zonedTimeToIso';
import { useCan } from '@/session/useCan';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { showProblem, useSubmit } from '@/shared/forms/useSubmit';
import { toast } from '@/shared/ui/toast';
import { RoomSelect } from '@/topics/catalogue/RoomSelect';
import { SheetBand } from '@/topics/sheets/SheetBand';

interface Props {
  sheet: SheetView;
  close: () => void;
}

/** Transfer the patient to another room, from now on or since a past time. */
export default function TransferDialog({ sheet, close }: Props) {
  const t = useText();
  const mayUndo = useCan('sheets.delete_open');
  const clock = useHospitalClock();
  const [transferPatient] = useTransferPatientMutation();
  const undo = useUndo(sheet.id);
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { room_id: null as number | null, earlier: false, at: '' },
    validate: {
      room_id: isNotEmpty(t('form.required')),
      at: (at, { earlier }) => (earlier && !at ? t('form.required') : null),
    },
  });
  const { earlier } = form.getValues();

  async function move({ room_id, at }: { room_id: number | null; at: string }) {
    const transferDraft = {
      room_id: room_id as number,
      at: earlier ? zonedTimeToIso(clock, at) : undefined,
    };
    const moved = await submit(
      () => transferPatient({ sheetId: sheet.id, 'If-Match': etag(sheet), transferDraft }),
      { form },
    );
    if (!moved.ok) return;
    close();
    toast.success(
      t('sheets.transferred'),
      mayUndo ? { action: { label: t('details.undo'), run: undo } } : {},
    );
  }

  return (
    <Dialog opened onClose={close} title={t('sheets.transfer.title')} closeOnClickOutside={false}>
      <DialogForm
        form={form}
        onSubmit={move}
        onCancel={close}
        action={t('sheets.transfer.do')}
        pending={pending}
        minHeight="18rem"
      >
        <SheetBand sheet={sheet} />
        <RoomSelect
          label={t('sheets.transfer.to')}
          required
          data-autofocus
          sheetId={sheet.id}
          {...form.getInputProps('room_id')}
        />
        {earlier ? (
          <TextInput
            type="datetime-local"
            label={t('sheets.transfer.at')}
            required
            autoFocus
            {...form.getInputProps('at')}
          />
        ) : (
          <Group justify="space-between" gap="sm">
            <Text c="dimmed">{t('sheets.transfer.now')}</Text>
            <Button variant="subtle" onClick={() => form.setFieldValue('earlier', true)}>
              {t('sheets.transfer.earlier')}
            </Button>
          </Group>
        )}
      </DialogForm>
    </Dialog>
  );
}

/**
 * Undo the last transfer.
 *
 * Lines recorded meanwhile do not prevent it. Another transfer is not expected within those seconds.
 */
function useUndo(sheetId: number) {
  const t = useText();
  const [undoTransfer] = useUndoTransferMutation();
  return async () => {
    const undone = await undoTransfer({ sheetId });
    if (undone.error === undefined) toast.success(t('sheets.transferUndone'));
    else showProblem(toProblem(undone.error));
  };
}
