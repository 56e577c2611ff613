import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useUnlockSessionMutation } from '@/api/generated';
import { toProblem } from '@/api/problem';
import { Dialog, DialogFooter } from '@/components/ui/Dialog';
import { useText } from '@/i18n/useText';

type Answer = { data?: unknown; error?: unknown };

/** Return whether the server wants the password before it does this. */
const wantsPassword = ({ error }: Answer) =>
  toProblem(error).messages.some(({ code }) => code === 'session.unconfirmed');

/**
 * Make calls that need a session confirmed within five minutes.
 *
 * If the server refuses one, the password is asked for, and the call repeated. Render `dialog`.
 */
export function useConfirmed() {
  const [asking, setAsking] = useState(false);
  const answer = useRef<(confirmed: boolean) => void>(() => {});

  function close(isConfirmed: boolean) {
    setAsking(false);
    answer.current(isConfirmed);
  }

  async function confirmed<A extends Answer>(call: () => Promise<A>): Promise<A> {
    const first = await call();
    if (!wantsPassword(first)) return first;
    setAsking(true);
    const isConfirmed = await new Promise<boolean>((resolve) => {
      answer.current = resolve;
    });
    return isConfirmed ? call() : first;
  }

  return { confirmed, dialog: asking && <PasswordDialog onClose={close} /> };
}

function PasswordDialog({ onClose }: { onClose: (isConfirmed: boolean) => void }) {
  const t = useText();
  const [confirmPassword, { isLoading }] = useUnlockSessionMutation();
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);

  async function confirm(event: FormEvent) {
    event.preventDefault();
    if (!password) return setRefusal(t('form.required'));
    const { error } = await confirmPassword({ unlockDraft: { password } });
    if (!error) return onClose(true);
    const said = toProblem(error).messages.map(({ text }) => text);
    setRefusal(said.join(' ') || t('error.unreachable'));
  }

  return (
    <Dialog opened onClose={() => onClose(false)} title={t('passkeys.confirm')}>
      <form noValidate onSubmit={confirm}>
        <Stack gap="sm">
          <Text size="sm">{t('passkeys.confirmHint')}</Text>
          <PasswordInput
            label={t('session.password')}
            autoComplete="current-password"
            data-autofocus
            visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword'), tabIndex: 0 }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={refusal}
            errorProps={{ role: 'alert' }}
          />
        </Stack>
        <DialogFooter>
          <Button variant="default" onClick={() => onClose(false)}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={isLoading}>
            {t('lockScreen.continue')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
