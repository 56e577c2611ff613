import { Alert, Anchor, Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { type ComponentType, lazy, type MouseEvent, Suspense, useState } from 'react';
import { useDispatch } from 'react-redux';
import { type AskedSecondFactor, useReadSettingsQuery, useSignInMutation } from '@/api/generatedSignIn';
import type { Problem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import type { ParkedPerson } from '@/session/parkedPeople';
import { noteReturnTo, returnTo } from '@/session/returnTo';
import { signedIn, useSession } from '@/session/session';
import { focusFirstError } from '@/shared/forms/focusFirstError';
import { useSubmit } from '@/shared/forms/useSubmit';
import { toast } from '@/shared/ui/toast';
import { HospitalSignIn } from '../proofs/HospitalSignIn';
import { usePasskeysHere } from '../proofs/usePasskeysHere';
import { LazyPasskeyStep } from './LazyPasskeyStep';
import classes from './session.module.css';
import { UnsyncedNotice } from './UnsentHere';
import { useRefusal } from './useRefusal';

const ParkedPeople = lazy<ComponentType<{ people: ParkedPerson[] }>>(() =>
  // Everybody can sign in without it.
  import('../proofs/ParkedPeople').catch(() => ({ default: () => null })),
);

export const RESET_PASSWORD = '/auth/reset-password';
export const FIRST_ADMINISTRATOR = '/auth/first-administrator';
export const PASSKEY_LINK = '/auth/passkey';

interface Props {
  /** Opens the page for a forgotten password. */
  onForgot: () => void;
}

/**
 * Sign in.
 *
 * The form is rendered before the router exists, so it must not use it.
 */
export function LoginForm({ onForgot }: Props) {
  const t = useText();
  const dispatch = useDispatch();
  const { notice, parked } = useSession();
  const [signIn] = useSignInMutation();
  const { data: settings, isLoading } = useReadSettingsQuery();
  const hospital = settings?.oidc;
  const [unfolded, setUnfolded] = useState(false);
  const { submit, pending } = useSubmit();
  const offersPasskey = usePasskeysHere();
  // Null to sign in with a passkey alone.
  const [passkey, setPasskey] = useState<AskedSecondFactor | null>();
  const { refuse, explain, clear, refusal } = useRefusal();
  const form = useForm({
    initialValues: { email: returnTo().email ?? '', password: '' },
    validate: { email: isNotEmpty(t('form.required')), password: isNotEmpty(t('form.required')) },
  });

  function onProblem(problem: Problem) {
    if (problem.status === 404) refuse(t('session.invalid'));
    else if (!explain(problem)) return false;
    form.getInputNode('password')?.focus();
    return true;
  }

  async function save(credentials: typeof form.values) {
    clear();
    const saved = await submit(() => signIn({ credentials }), {
      form,
      onProblem,
    });
    if (!saved.ok) return;
    if ('second_factor' in saved.data) return setPasskey(saved.data.second_factor);
    toast.success(t('session.welcome'), { autoClose: 1000 });
    dispatch(signedIn(saved.data.access_token));
  }

  function forgot(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // opens a new tab or window
    event.preventDefault();
    noteReturnTo({ email: form.getValues().email });
    onForgot();
  }

  if (passkey !== undefined) return <LazyPasskeyStep asked={passkey} onBack={() => setPasskey(undefined)} />;
  return (
    <Stack gap="md">
      <title>{`${t('session.title')} · Consumo`}</title>
      <Title order={1}>{t('session.title')}</Title>
      <Suspense>{parked.length > 0 && <ParkedPeople people={parked} />}</Suspense>
      <form noValidate onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}>
        <Stack gap="md">
          {notice && !refusal && <Alert>{t(notice)}</Alert>}
          <UnsyncedNotice />
          {refusal}
          {hospital && (
            <HospitalSignIn
              label="session.hospital"
              name={hospital.name}
              onFailure={(reason) => {
                refuse(reason);
                setUnfolded(true);
              }}
            />
          )}
          {hospital && !unfolded && (
            <Anchor
              component="button"
              type="button"
              onClick={() => setUnfolded(true)}
              className={classes.link}
            >
              {t(hospital.only ? 'session.localAdministrators' : 'session.localPassword')}
            </Anchor>
          )}
          {/* Until it is known how the hospital signs in, the form must not appear and vanish again. */}
          {(hospital ? unfolded : !isLoading) && (
            <>
              <TextInput
                label={t('session.email')}
                type="email"
                autoComplete="username"
                autoFocus
                {...form.getInputProps('email')}
              />
              <PasswordInput
                label={t('session.password')}
                autoComplete="current-password"
                visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword'), tabIndex: 0 }}
                {...form.getInputProps('password')}
              />
              <Button type="submit" variant={hospital ? 'default' : 'filled'} loading={pending}>
                {t('session.signIn')}
              </Button>
              {offersPasskey && (
                <Button variant="default" onClick={() => setPasskey(null)}>
                  {t('passkeys.signIn')}
                </Button>
              )}
              <Anchor href={RESET_PASSWORD} onClick={forgot} className={classes.link}>
                {t('session.forgot')}
              </Anchor>
            </>
          )}
        </Stack>
      </form>
    </Stack>
  );
}
