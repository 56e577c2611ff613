import { Alert, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useDispatch } from 'react-redux';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { type OwnAccountView, useSignOutMutation, useUnlockSessionMutation } from '@/api/generated';
import { useSignInMutation } from '@/api/generatedSignIn';
import { useLazyReadOwnAccountQuery } from '@/api/lazy';
import { toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { saveLastPath } from '@/session/savedWork';
import { accountRead, signedIn, signedOut, tokenRenewed, unlocked, useSession } from '@/session/session';
import { AuthLayout } from '../shell/AuthLayout';
import classes from './LockScreen.module.css';
import { useDetachedBehind, useIdleLock } from './useIdleLock';

/**
 * All pages with the lock screen, which appears after some idle minutes.
 *
 * Locked pages keep their state, outside the document.
 */
export function IdleLock() {
  const { token, user, locked } = useSession();
  useIdleLock();
  return (
    <>
      <Outlet />
      {token && user && locked && <LockScreen user={user} />}
    </>
  );
}

function LockScreen({ user }: { user: OwnAccountView }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const made = document.createElement('div');
    made.className = classes.lockScreen as string;
    document.body.append(made);
    setPlace(made);
    return () => made.remove();
  }, []);
  return place && createPortal(<LockDialog place={place} user={user} />, place);
}

function LockDialog({ place, user }: { place: HTMLElement; user: OwnAccountView }) {
  useDetachedBehind(place);
  return (
    <div role="dialog" aria-modal="true" aria-labelledby="lock-screen-title">
      <AuthLayout>
        <UnlockForm user={user} />
      </AuthLayout>
    </div>
  );
}

function UnlockForm({ user }: { user: OwnAccountView }) {
  const t = useText();
  const dispatch = useDispatch();
  const { email } = user;
  const field = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const [unlockSession] = useUnlockSessionMutation();
  const [signIn] = useSignInMutation();
  const [readAccount] = useLazyReadOwnAccountQuery();

  function refuse(error: unknown) {
    const { status, messages } = toProblem(error);
    const said = messages.map(({ text }) => text).join(' ');
    const known = status !== null && [422, 429].includes(status) ? said : '';
    setRefusal(status === 404 ? t('lockScreen.wrong') : known || said || t('error.unreachable'));
    setPassword('');
    field.current?.focus();
  }

  async function goOn(event: FormEvent) {
    event.preventDefault();
    if (pending) return;
    if (!password) return setRefusal(t('form.required'));
    setRefusal(null);
    setPending(true);
    const { error } = await unlockSession({ unlockDraft: { password } });
    if (!error) dispatch(unlocked());
    else if (toProblem(error).status === 401) await signInAgain();
    else refuse(error);
    setPending(false);
  }

  /** Sign in the same user after the session ended behind the lock screen, with their current permissions. */
  async function signInAgain() {
    const { data, error } = await signIn({ credentials: { email, password } });
    if (!data) return refuse(error);
    dispatch(tokenRenewed(data.access_token));
    const account = await readAccount();
    // With another role, discard what the old role showed.
    if (account.data?.role !== user.role) return dispatch(signedIn(data.access_token));
    dispatch(accountRead(account.data));
    dispatch(unlocked());
  }

  return (
    <form noValidate onSubmit={goOn}>
      <Stack gap="md">
        <Title order={1} id="lock-screen-title">
          {t('lockScreen.title')}
        </Title>
        <Text>{t('lockScreen.hint', { email })}</Text>
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
        <SwitchAccount user={user} />
      </Stack>
    </form>
  );
}

/**
 * Hand the screen to another user.
 *
 * Unsent entries stay with the user who entered them.
 */
function SwitchAccount({ user }: { user: OwnAccountView }) {
  const t = useText();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [signOut, { isLoading }] = useSignOutMutation();

  async function leave() {
    await signOut();
    saveLastPath(user.id, pathname + search);
    dispatch(signedOut());
    navigate('/');
  }

  return (
    <Alert color="gray">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('lockScreen.otherHint', { email: user.email })}</Text>
        <Button variant="default" loading={isLoading} onClick={leave}>
          {t('lockScreen.other')}
        </Button>
      </Stack>
    </Alert>
  );
}
