import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import {
  type PasskeyView,
  useBeginPasskeyRegistrationMutation,
  useRegisterPasskeyMutation,
} from '@/api/generated';
import { useText } from '@/i18n/useText';
import { toast } from '@/shared/ui/toast';
import { useConfirmed } from './useConfirmed';
import { usePasskeyCall } from './usePasskeyCall';
import { createPasskey } from './webauthn';

interface Props {
  /** How many passkeys the account has. */
  count: number;
  onAdded?: (passkey: PasskeyView) => void;
}

/** Register a passkey of the own account. */
export function AddPasskey({ count, onAdded }: Props) {
  const t = useText();
  const [begin] = useBeginPasskeyRegistrationMutation();
  const [register] = useRegisterPasskeyMutation();
  const { confirmed, dialog } = useConfirmed();
  const { run, pending, refusal } = usePasskeyCall();
  const [name, setName] = useState<string | null>(null);
  const shown = name ?? t('passkeys.nth', { number: count + 1 });

  async function add(event: FormEvent) {
    event.preventDefault();
    const added = await run({
      begin: () => confirmed(() => begin()),
      use: createPasskey,
      finish: (credential) => register({ passkeyDraft: { credential, name: shown } }),
    });
    if (!added) return;
    setName(null);
    toast.success(t('passkeys.added'));
    onAdded?.(added);
  }

  return (
    <form noValidate onSubmit={add}>
      <Stack gap="sm">
        {refusal && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t('passkeys.name')}
            maxLength={60}
            flex="1 1 14rem"
            value={shown}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={pending} leftSection={<IconPlus size={20} aria-hidden />}>
            {t('passkeys.add')}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {t('passkeys.nameHint')}
        </Text>
      </Stack>
      {dialog}
    </form>
  );
}
