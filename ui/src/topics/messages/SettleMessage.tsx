import { Alert } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { type OutboundMessageView, useMarkOutboundMessageSentMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { ReasonField } from '@/shared/forms/ReasonField';
import { useSubmit } from '@/shared/forms/useSubmit';

interface Props {
  message: OutboundMessageView | null;
  onClose: () => void;
}

/** Ask for the reason why a message counts as sent. */
export function SettleMessage({ message, onClose }: Props) {
  const t = useText();
  const [settleMessage] = useMarkOutboundMessageSentMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: isNotEmpty(t('form.required')) },
  });

  async function settle(settleDraft: { reason: string }) {
    if (!message) return;
    const done = await submit(() => settleMessage({ outboundMessageId: message.id, settleDraft }), {
      form,
      success: 'outbound.settled',
    });
    if (done.ok) onClose();
  }

  return (
    <Dialog opened={message !== null} onClose={onClose} title={t('outbound.settle.question')}>
      <DialogForm
        form={form}
        onSubmit={settle}
        onCancel={onClose}
        action={t('outbound.settle.do')}
        pending={pending}
      >
        <Alert color="yellow">{t('outbound.settle.what')}</Alert>
        <ReasonField {...form.getInputProps('reason')} />
      </DialogForm>
    </Dialog>
  );
}
