import { ActionIcon, Alert, Badge, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import {
  type PasskeyView,
  useListPasskeysQuery,
  useRemovePasskeyMutation,
  useRenamePasskeyMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { DescriptionItem, DescriptionList } from '@/shared/ui/DescriptionList';
import { AddPasskey } from '../proofs/AddPasskey';
import { useConfirmed } from '../proofs/useConfirmed';
import { usePasskeysHere } from '../proofs/usePasskeysHere';
import classes from './Sessions.module.css';

interface Props {
  userId: number;
  own?: boolean;
}

/** The passkeys of the user's own account or of a managed one. */
export function Passkeys({ userId, own = false }: Props) {
  const t = useText();
  const isHere = usePasskeysHere();
  const passkeys = useListPasskeysQuery({ userId }, { refetchOnMountOrArgChange: true });
  throwOnError(passkeys);
  const items = passkeys.currentData?.items;
  if (!items || (!own && items.length === 0)) return null;
  return (
    <Paper withBorder component="section" aria-labelledby="passkeys-title" className={classes.card}>
      <Title order={2} id="passkeys-title" fz="lg">
        {t('passkeys.title')}
      </Title>
      {own && (
        <Text c="dimmed" size="sm" mt="xs">
          {t('passkeys.what')}
        </Text>
      )}
      <ul className={classes.list}>
        {items.map((passkey) => (
          <Row key={passkey.id} passkey={passkey} userId={userId} own={own} />
        ))}
      </ul>
      {own && (
        <Stack gap="sm" mt="sm">
          {items.length === 1 && <Text size="sm">{t('passkeys.second.advice')}</Text>}
          {isHere ? (
            <AddPasskey count={items.length} />
          ) : (
            <Alert color="yellow">{t('passkeys.notHere')}</Alert>
          )}
        </Stack>
      )}
    </Paper>
  );
}

function Row({ passkey, userId, own }: { passkey: PasskeyView; userId: number; own: boolean }) {
  const t = useText();
  const format = useFormat();
  const confirm = useConfirm();
  const { confirmed, dialog } = useConfirmed();
  const [remove] = useRemovePasskeyMutation();
  const { submit, pending } = useSubmit();
  const [renaming, setRenaming] = useState(false);
  const { id, name, made_at, used_at, backed_up, suspected } = passkey;

  async function take() {
    if (!(await confirm({ question: 'passkeys.remove.question', action: 'passkeys.remove', danger: true })))
      return;
    await submit(() => confirmed(() => remove({ userId, passkeyId: id })), { success: 'passkeys.removed' });
  }

  return (
    <li className={classes.session}>
      <div className={classes.what}>
        {renaming ? (
          <Rename passkey={passkey} userId={userId} onDone={() => setRenaming(false)} />
        ) : (
          <Group gap="sm">
            <Text fw={600}>{name}</Text>
            {own && (
              <ActionIcon
                variant="subtle"
                onClick={() => setRenaming(true)}
                aria-label={t('passkeys.renameNamed', { name })}
              >
                <IconPencil size={20} aria-hidden />
              </ActionIcon>
            )}
            {backed_up && <Badge>{t('passkeys.backedUp')}</Badge>}
          </Group>
        )}
        {suspected && (
          <Alert color="red" my="xs">
            {t('passkeys.suspected')}
          </Alert>
        )}
        <DescriptionList>
          <DescriptionItem name={t('sessions.since')}>{format.moment(made_at)}</DescriptionItem>
          <DescriptionItem name={t('sessions.lastUsed')}>{used_at && format.moment(used_at)}</DescriptionItem>
        </DescriptionList>
      </div>
      {own && (
        <Button
          variant="default"
          loading={pending}
          onClick={take}
          aria-label={t('passkeys.removeNamed', { name })}
        >
          {t('passkeys.remove')}
        </Button>
      )}
      {dialog}
    </li>
  );
}

function Rename({ passkey, userId, onDone }: { passkey: PasskeyView; userId: number; onDone: () => void }) {
  const t = useText();
  const [rename] = useRenamePasskeyMutation();
  const { submit, pending } = useSubmit();
  const [name, setName] = useState(passkey.name);

  async function save(event: FormEvent) {
    event.preventDefault();
    const saved = await submit(() => rename({ userId, passkeyId: passkey.id, passkeyName: { name } }));
    if (saved.ok) onDone();
  }

  return (
    <form noValidate onSubmit={save}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={t('passkeys.name')}
          maxLength={60}
          autoFocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={pending}>
          {t('action.save')}
        </Button>
        <Button variant="default" onClick={onDone}>
          {t('action.cancel')}
        </Button>
      </Group>
    </form>
  );
}
