import { Alert, Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useDispatch } from 'react-redux';
import {
  useBeginPasskeySignInMutation,
  useGiveSecondFactorMutation,
  useSignInWithPasskeyMutation,
} from '@/api/generated';
import type { AskedSecondFactor } from '@/api/generatedSignIn';
import { useText } from '@/i18n/useText';
import { signedIn } from '@/session/session';
import { usePasskeyCall } from '../proofs/usePasskeyCall';
import { signWithPasskey } from '../proofs/webauthn';
import classes from './session.module.css';

interface Props {
  /** The second factor that the password was answered with; null to sign in with a passkey alone. */
  asked: AskedSecondFactor | null;
  onBack: () => void;
}

/** Sign in with a passkey, alone or after the password. It starts by itself, and can be repeated. */
export default function PasskeyStep({ asked, onBack }: Props) {
  const t = useText();
  const dispatch = useDispatch();
  const [begin] = useBeginPasskeySignInMutation();
  const [signIn] = useSignInWithPasskeyMutation();
  const [give] = useGiveSecondFactorMutation();
  const { run, pending, refusal } = usePasskeyCall();
  const title = t(asked ? 'passkeys.second' : 'passkeys.signIn');

  async function use() {
    const token = await run({
      begin: async () => (asked ? { data: { options: asked.options } } : begin()),
      use: signWithPasskey,
      finish: (credential) =>
        asked
          ? give({ givenSecondFactor: { ticket: asked.ticket, credential } })
          : signIn({ givenPasskey: { credential } }),
    });
    if (token) dispatch(signedIn(token.access_token));
  }

  const begun = useRef(false);
  const start = useEffectEvent(use);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    start();
  }, []);

  return (
    <Stack gap="md">
      <title>{`${title} · Consumo`}</title>
      <Title order={1}>{title}</Title>
      <Text>{t('passkeys.hint')}</Text>
      {refusal && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      <Button loading={pending} onClick={use}>
        {t('passkeys.use')}
      </Button>
      {refusal && asked && <Text size="sm">{t('passkeys.lostHint')}</Text>}
      <Anchor component="button" type="button" onClick={onBack} className={classes.link}>
        {t('passkeys.back')}
      </Anchor>
    </Stack>
  );
}
