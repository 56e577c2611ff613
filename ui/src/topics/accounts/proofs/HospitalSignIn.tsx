import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import type { MessageId } from '@/i18n/language';
import { text } from '@/i18n/messages';
import { useText } from '@/i18n/useText';
import { useAppDispatch } from '@/state/storeHooks';

interface Props extends ButtonProps {
  label: MessageId;
  /** The hospital's name on the button. */
  name: string;
  /** Called before the page is left. */
  onLeave?: () => void;
  /** Called with the reason if the provider's page cannot be opened. */
  onFailure: (reason: string) => void;
}

/** Go to the hospital's identity provider. The code for it is loaded by the click. */
export function HospitalSignIn({ label, name, onLeave, onFailure, ...button }: Props) {
  const t = useText();
  const dispatch = useAppDispatch();
  const [pending, setPending] = useState(false);

  async function go() {
    setPending(true);
    onLeave?.();
    const failure = await import('@/session/hospitalAccount').then(
      ({ goToProvider }) => goToProvider(dispatch),
      () => text('session.hospitalDown'),
    );
    if (failure === null) return; // the page is being left
    setPending(false);
    onFailure(failure);
  }

  return (
    <Button {...button} loading={pending} onClick={go}>
      {t(label, { name })}
    </Button>
  );
}
