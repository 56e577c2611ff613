import { Button, Loader, Stack, Text } from '@mantine/core';
import { type OutboundMessageView, useReadOutboundMessageQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { Dialog, DialogFooter } from '@/shared/dialogs/Dialog';
import classes from './messages.module.css';

interface Props {
  message: OutboundMessageView | null;
  onClose: () => void;
}

/** Show a message segment by segment; each look is logged. */
export function ReadMessage({ message, onClose }: Props) {
  const t = useText();
  return (
    <Dialog
      opened={message !== null}
      onClose={onClose}
      size="xl"
      title={message && t('outbound.message', { number: message.control_id })}
    >
      <Stack gap="md">
        {message?.problem && <Text>{message.problem}</Text>}
        {message && <Body key={message.id} message={message} />}
      </Stack>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          {t('action.close')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function Body({ message: { id } }: { message: OutboundMessageView }) {
  const t = useText();
  const whole = useReadOutboundMessageQuery({ outboundMessageId: id });
  throwOnError(whole);
  if (!whole.currentData) return <Loader role="status" aria-label={t('loading')} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long message is scrolled by keyboard.
    <pre className={classes.body} tabIndex={0}>
      {whole.currentData.body.replaceAll('\r', '\n')}
    </pre>
  );
}
