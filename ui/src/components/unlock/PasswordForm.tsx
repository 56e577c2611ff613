import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSignInMutation } from '@/api/generatedSignIn';
import { toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import type { ParkedPerson } from '@/session/parkedPeople';
import { unlockPerson } from '@/session/unlocking';
import { useAppDispatch } from '@/storeHooks';

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
  const dispatch = useAppDispatch();
  const { email, token } = person;
  const field = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(note);
  const [pending, setPending] = useState(false);
  const [signIn] = useSignInMutation();
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  function refuse(told: string) {
    setRefusal(told);
    setPassword('');
    field.current?.focus();
  }

  async function goOn(event: FormEvent) {
    event.preventDefault();
    if (pending) return;
    if (!password) return setRefusal(t('form.required'));
    setRefusal(null);
    setPending(true);
    const outcome = await dispatch(unlockPerson(person, { password }));
    if (outcome.is === 'unlocked') await onUnlocked(token);
    else if (outcome.is === 'over') await signInAgain();
    else if (outcome.is === 'refused') refuse(outcome.messages.map(({ text }) => text).join(' '));
    else refuse(t('error.unreachable'));
    setPending(false);
  }

  async function signInAgain() {
    const { data, error } = await signIn({ credentials: { email, password } });
    if (data) return onUnlocked(data.access_token);
    const { status, messages } = toProblem(error);
    const told = messages.map(({ text }) => text).join(' ');
    refuse(status === 404 ? t('lockScreen.wrong') : told || t('error.unreachable'));
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
