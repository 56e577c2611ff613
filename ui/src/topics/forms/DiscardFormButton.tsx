import { Button, Text } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { type FormView, useDiscardFormMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { ReasonField } from '@/shared/forms/ReasonField';
import { useSubmit } from '@/shared/forms/useSubmit';

/** Button to discard a form that will never be recorded, with a reason. */
export function DiscardFormButton({ form: { number } }: { form: Pick<FormView, 'number'> }) {
  const t = useText();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)} aria-label={t('forms.discardOf', { number })}>
        {t('forms.discard')}
      </Button>
      {opened && <DiscardDialog number={number} onClose={() => setOpened(false)} />}
    </>
  );
}

function DiscardDialog({ number, onClose }: { number: number; onClose: () => void }) {
  const t = useText();
  const [discardForm] = useDiscardFormMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: isNotEmpty(t('form.required')) },
  });
  async function discard({ reason }: { reason: string }) {
    const done = await submit(() => discardForm({ formId: number, discardFormDraft: { reason } }), {
      form,
      success: 'forms.discarded',
    });
    if (done.ok) onClose();
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={t('forms.discardQuestion', { number })}
    >
      <DialogForm
        form={form}
        onSubmit={discard}
        onCancel={onClose}
        action={t('forms.discardNow')}
        pending={pending}
        danger
      >
        <Text>{t('forms.discardHint')}</Text>
        <ReasonField {...form.getInputProps('reason')} />
      </DialogForm>
    </Dialog>
  );
}
