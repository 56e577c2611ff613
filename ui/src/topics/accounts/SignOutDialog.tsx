import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useText } from '@/i18n/useText';
import { isUnsent } from '@/outbox/outboxSlice';
import { flushOutbox } from '@/outbox/sending';
import { takeBack } from '@/outbox/thunks';
import { Dialog } from '@/shared/dialogs/Dialog';
import { useAppDispatch, useAppSelector, useAppStore } from '@/state/storeHooks';

interface Props {
  onLeave: () => void;
  onClose: () => void;
}

/** Dialog on sign-out: send, keep or discard unsent entries. */
export default function SignOutDialog({ onLeave, onClose }: Props) {
  const t = useText();
  const dispatch = useAppDispatch();
  const store = useAppStore();
  const lines = useAppSelector(({ outbox }) => outbox.lines);
  const count = lines.filter(isUnsent).length;
  const [sending, setSending] = useState(false);
  const [discards, setDiscards] = useState(false);
  const unsent = () => store.getState().outbox.lines.filter(isUnsent);

  async function send() {
    setSending(true);
    await dispatch(flushOutbox());
    setSending(false);
    if (unsent().length === 0) onLeave();
  }

  async function discardAll() {
    for (const { key } of unsent()) await dispatch(takeBack(key));
    onLeave();
  }

  if (discards)
    return (
      <Dialog opened onClose={onClose} title={t('outbox.discardAll.question', { count })}>
        <Stack gap="sm">
          <Text>{t('outbox.discardAll.hint')}</Text>
          <Button color="red" onClick={discardAll}>
            {t('outbox.discardAll', { count })}
          </Button>
          <Button variant="default" onClick={() => setDiscards(false)} data-autofocus>
            {t('action.cancel')}
          </Button>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog opened onClose={onClose} title={t('outbox.signOut.question', { count })}>
      <Stack gap="sm">
        <Text>{t('outbox.signOut.hint')}</Text>
        <Button loading={sending} onClick={send} data-autofocus>
          {t('outbox.sendNow')}
        </Button>
        <Button variant="default" onClick={onLeave}>
          {t('outbox.signOut.leave')}
        </Button>
        <Button variant="subtle" color="red" onClick={() => setDiscards(true)}>
          {t('outbox.discardAll', { count })}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {t('action.cancel')}
        </Button>
      </Stack>
    </Dialog>
  );
}
