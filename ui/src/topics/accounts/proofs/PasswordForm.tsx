import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSignInMutation } from '@/api/generatedSignIn';
import { toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import type { ParkedPerson } from '@/session/parkedPeople';
import { useUnlockForMutation } from '@/session/personCalls';
import { sessionExpired } from '@/session/session';
import { useAppDispatch } from '@/state/storeHooks';

interface Props {
  person: ParkedPerson;
  /** A message about another way that did not work. */
  note?: string | null;
  /** Called with the token of the unlocked session, or of the new one if that had ended. */
  onUnlocked: (token: string) => unknown;
}

/** Unlock a session with the password. If it has ended, sign the same person in again. */
export function PasswordForm({ person, note = null, onUnlocked }: Props) {
  const t = useText();
  const { email, token } = person;
  const dispatch = useAppDispatch();
  const field = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(note);
  const [pending, setPending] = useState(false);
  const [unlock] = useUnlockForMutation();
  const [signIn] = useSignInMutation();
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  function refuse(error: unknown) {
    const { status, messages } = toProblem(error);
    const told = messages.map(({ text }) => text).join(' ');
    const isKnown = status !== null && status < 500;
    setRefusal(status === 404 ? t('lockScreen.wrong') : (isKnown && told) || t('error.unreachable'));
    setPassword('');
    field.current?.focus();
  }

  async function goOn(event: FormEvent) {
    event.preventDefault();
    if (pending) return;
    if (!password) return setRefusal(t('form.required'));
    setRefusal(null);
    setPending(true);
    const { error } = await unlock({ token, proof: { password } });
    if (!error) await onUnlocked(token);
    else if (toProblem(error).status === 401) await signInAgain();
    else refuse(error);
    setPending(false);
  }

  async function signInAgain() {
    const { data, error } = await signIn({ credentials: { email, password } });
    if (!data) return refuse(error);
    // The sign-in page asks for the passkey.
    if ('second_factor' in data) return dispatch(sessionExpired());
    await onUnlocked(data.access_token);
  }

  return (
    <form noValidate onSubmit={goOn}>
      <Stack gap="md">
        <TextInput
          ref={field}
          label={t('session.password')}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={refusal}
          errorProps={{ role: 'alert' }}
        />
        <Button type="submit" loading={pending}>
          {t('lockScreen.continue')}
        </Button>
      </Stack>
    </form>
  );
}
