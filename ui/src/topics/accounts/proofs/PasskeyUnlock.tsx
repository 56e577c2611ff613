import { Alert, Button, Stack } from '@mantine/core';
import { useText } from '@/i18n/useText';
import type { ParkedPerson } from '@/session/parkedPeople';
import { useBeginPasskeyUnlockForMutation, useUnlockForMutation } from '@/session/personCalls';
import { usePasskeyCall } from './usePasskeyCall';
import { signWithPasskey } from './webauthn';

interface Props {
  person: ParkedPerson;
  onUnlocked: () => void;
}

/** Unlock the session of a person on this device with their passkey. */
export default function PasskeyUnlock({ person: { token }, onUnlocked }: Props) {
  const t = useText();
  const [begin] = useBeginPasskeyUnlockForMutation();
  const [unlock] = useUnlockForMutation();
  const { run, pending, refusal } = usePasskeyCall();

  async function use() {
    const done = await run({
      begin: () => begin({ token }),
      use: signWithPasskey,
      finish: (passkey) => unlock({ token, proof: { passkey } }),
    });
    if (done) onUnlocked();
  }

  return (
    <Stack gap="sm" mt="md">
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
