import { Alert, Button, Stack } from '@mantine/core';
import { useBeginPasskeyUnlockMutation, useUnlockSessionMutation } from '@/api/generated';
import { usePasskeyCall } from '@/components/passkeys/usePasskeyCall';
import { signWithPasskey } from '@/components/passkeys/webauthn';
import { useText } from '@/i18n/useText';

interface Props {
  onUnlocked: () => void;
}

/** Unlock the session with a passkey of its user. */
export default function PasskeyUnlock({ onUnlocked }: Props) {
  const t = useText();
  const [begin] = useBeginPasskeyUnlockMutation();
  const [unlock] = useUnlockSessionMutation();
  const { run, pending, refusal } = usePasskeyCall();

  async function use() {
    const done = await run({
      begin: () => begin(),
      use: signWithPasskey,
      finish: (passkey) => unlock({ unlockDraft: { passkey } }),
    });
    if (done) onUnlocked();
  }

  return (
    <Stack gap="sm">
      {refusal && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      <Button variant="default" loading={pending} onClick={use}>
        {t('passkeys.use')}
      </Button>
    </Stack>
  );
}
