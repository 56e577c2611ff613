import { Button, Text } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconLockOpen } from '@tabler/icons-react';
import { useNavigate } from 'react-router-dom';
import { type SheetView, useReopenSheetMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { ReasonField } from '@/shared/forms/ReasonField';
import { useSubmit } from '@/shared/forms/useSubmit';
import { detailsOf } from '@/shared/records/sheetAddresses';

/** Reopen a closed sheet with a reason, if permitted. */
export function ReopenSheetButton({ sheet }: { sheet: SheetView }) {
  const t = useText();
  const navigate = useNavigate();
  const [reopenSheet] = useReopenSheetMutation();
  const { submit, pending } = useSubmit();
  const [opened, dialog] = useDisclosure();
  const mayReopen = useCan('sheets.reopen');
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: isNotEmpty(t('form.required')) },
  });
  if (!mayReopen) return null;

  async function reopen(reopenDraft: { reason: string }) {
    const reopened = await submit(() => reopenSheet({ sheetId: sheet.id, reopenDraft }), {
      form,
      success: 'sheets.reopened',
    });
    if (reopened.ok) navigate(detailsOf(sheet), { replace: true });
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconLockOpen size={20} aria-hidden />}
        onClick={() => {
          form.reset();
          dialog.open();
        }}
      >
        {t('sheets.reopen')}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={t('sheets.reopen.question')}>
        <DialogForm
          form={form}
          onSubmit={reopen}
          onCancel={dialog.close}
          action={t('sheets.reopen')}
          pending={pending}
        >
          <Text>{t('sheets.reopen.what')}</Text>
          <ReasonField maxLength={2000} {...form.getInputProps('reason')} />
        </DialogForm>
      </Dialog>
    </>
  );
}
