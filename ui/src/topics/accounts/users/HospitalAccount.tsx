import { Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type OwnAccountView, useUnlockSessionMutation } from '@/api/generated';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { toast } from '@/shared/ui/toast';
import { useAppDispatch } from '@/state/storeHooks';
import classes from './Sessions.module.css';

/** Link the own account to the hospital's, which requires the password. Nothing where the hospital has none. */
export function HospitalAccount({ user }: { user: OwnAccountView }) {
  const t = useText();
  const name = useReadSettingsQuery().data?.oidc?.name;
  if (!name) return null;
  return (
    <Paper withBorder component="section" aria-labelledby="hospital-account" className={classes.card}>
      <Stack gap="md">
        <Title order={2} id="hospital-account" fz="lg">
          {t('account.hospital', { name })}
        </Title>
        {user.oidc_linked ? (
          <Text>{t(user.has_password ? 'account.hospitalLinked' : 'account.hospitalOnly', { name })}</Text>
        ) : (
          <LinkForm name={name} email={user.email} />
        )}
      </Stack>
    </Paper>
  );
}

function LinkForm({ name, email }: { name: string; email: string }) {
  const t = useText();
  const dispatch = useAppDispatch();
  const [unlockSession] = useUnlockSessionMutation();
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [pending, setPending] = useState(false);

  async function link(event: FormEvent) {
    event.preventDefault();
    if (pending) return;
    if (!password) return setRefusal(t('form.required'));
    setPending(true);
    setRefusal(null);
    const { error } = await unlockSession({ unlockDraft: { password } });
    if (error) {
      const said = toProblem(error).messages.map(({ text }) => text);
      setRefusal(said.join(' ') || t('error.unreachable'));
    } else {
      const { goToProvider } = await import('@/session/hospitalAccount');
      const failure = await goToProvider(dispatch, true);
      if (failure === null) return; // the page is being left
      toast.error(failure);
    }
    setPending(false);
  }

  return (
    <form noValidate onSubmit={link}>
      <Stack gap="md" align="flex-start">
        <Text c="dimmed">{t('account.hospitalHint', { name })}</Text>
        <input type="hidden" autoComplete="username" value={email} />
        <PasswordInput
          label={t('account.currentPassword')}
          autoComplete="current-password"
          required
          w="100%"
          visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword'), tabIndex: 0 }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={refusal}
          errorProps={{ role: 'alert' }}
        />
        <Button type="submit" variant="default" loading={pending}>
          {t('account.hospitalLink', { name })}
        </Button>
      </Stack>
    </form>
  );
}
