import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Link, useCreatePasskeyLinkMutation, useListPasskeysQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { Dialog, DialogFooter } from '@/shared/dialogs/Dialog';
import { useSubmit } from '@/shared/forms/useSubmit';

interface Props {
  userId: number;
  onClose: () => void;
  onLink: (link: Link) => void;
}

/** Choose the lost passkeys of a user, and create a link for registering another one. */
export function LostPasskey({ userId, onClose, onLink }: Props) {
  const t = useText();
  const passkeys = useListPasskeysQuery({ userId });
  const [create] = useCreatePasskeyLinkMutation();
  const { submit, pending } = useSubmit();
  const [lost, setLost] = useState<string[]>([]);
  const items = passkeys.currentData?.items ?? [];

  async function handOut() {
    const made = await submit(() => create({ userId, lostPasskeys: { removed_ids: lost.map(Number) } }));
    if (made.ok) onLink(made.data);
  }

  return (
    <Dialog opened onClose={onClose} title={t('passkeys.lost')}>
      <Stack gap="sm">
        <Text size="sm">{t('passkeys.lost.hint')}</Text>
        {items.length > 0 && (
          <Checkbox.Group label={t('passkeys.lost.which')} value={lost} onChange={setLost}>
            <Stack gap="xs" mt="xs">
              {items.map(({ id, name }) => (
                <Checkbox key={id} value={String(id)} label={name} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
      </Stack>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button color="red" loading={pending} onClick={handOut}>
          {t('passkeys.lost.handOut')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
