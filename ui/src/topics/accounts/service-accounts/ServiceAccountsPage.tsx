import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconKey, IconPencil, IconPlus, IconRobot, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import {
  type ApiKeyView,
  type ServiceAccountView,
  useDeleteServiceAccountMutation,
  useListServiceAccountsQuery,
  useRevokeKeyMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { lastMoment } from '@/i18n/lastMoment';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { DescriptionItem, DescriptionList } from '@/shared/ui/DescriptionList';
import { EmptyState } from '@/shared/ui/EmptyState';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import { PageLoader } from '@/shared/ui/PageLoader';
import classes from './ServiceAccountsPage.module.css';
import { useScopeLabels } from './scopeLabels';
import { useServiceAccountDialog } from './useServiceAccountDialog';

/** List the programs that call the API, with their keys. */
export default function ServiceAccountsPage() {
  const t = useText();
  const accounts = useListServiceAccountsQuery();
  const { create, rename, dialog } = useServiceAccountDialog();
  throwOnError(accounts);
  const items = accounts.data?.items;
  if (!items) return <PageLoader />;
  return (
    <Stack gap="md" className={classes.page}>
      <Group justify="space-between" gap="sm">
        <Text c="dimmed">{t('programs.about')}</Text>
        <Button leftSection={<IconPlus size={20} aria-hidden />} onClick={create}>
          {t('programs.create')}
        </Button>
      </Group>
      {items.length === 0 && (
        <Paper withBorder>
          <EmptyState
            icon={<IconRobot size={40} aria-hidden />}
            title={t('programs.none')}
            hint={t('programs.noneHint')}
          />
        </Paper>
      )}
      {items.map((account) => (
        <Account key={account.id} account={account} onRename={() => rename(account)} />
      ))}
      {dialog}
    </Stack>
  );
}

function Account({ account, onRename }: { account: ServiceAccountView; onRename: () => void }) {
  const t = useText();
  const confirm = useConfirm();
  const [deleteAccount] = useDeleteServiceAccountMutation();
  const { submit, pending } = useSubmit();
  const { id, name, keys } = account;

  async function remove() {
    const sure = await confirm({
      question: 'programs.delete.question',
      action: 'programs.delete',
      danger: true,
      children: <Text>{name}</Text>,
    });
    if (sure) await submit(() => deleteAccount({ accountId: id }), { success: 'programs.deleted' });
  }

  return (
    <Paper withBorder component="section" aria-labelledby={`program-${id}`} className={classes.card}>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Title order={2} id={`program-${id}`} fz="lg" className={classes.name}>
          {name}
        </Title>
        <OverflowMenuButton
          label={t('programs.more', { name })}
          busy={pending}
          items={[
            { label: t('programs.rename'), icon: IconPencil, run: onRename },
            { label: t('programs.delete'), icon: IconTrash, run: remove, danger: true },
          ]}
        />
      </Group>
      {keys.length === 0 && <Text c="dimmed">{t('keys.none')}</Text>}
      <ul className={classes.keys}>
        {[...keys.filter(works), ...keys.filter((key) => !works(key))].map((key) => (
          <Key key={key.id} apiKey={key} />
        ))}
      </ul>
      <Group>
        <Button
          variant="default"
          leftSection={<IconKey size={20} aria-hidden />}
          component={Link}
          to={`/service-accounts/${id}/keys/create`}
          aria-label={t('keys.createFor', { name })}
        >
          {t('keys.create')}
        </Button>
      </Group>
    </Paper>
  );
}

const SOON = 14 * 24 * 3_600_000;
const timeLeft = ({ expires_at }: ApiKeyView) =>
  expires_at ? Date.parse(expires_at) - Date.now() : Number.POSITIVE_INFINITY;
const works = (key: ApiKeyView) => !key.revoked_at && timeLeft(key) > 0;

function Key({ apiKey }: { apiKey: ApiKeyView }) {
  const t = useText();
  const format = useFormat();
  const confirm = useConfirm();
  const wordsOf = useScopeLabels();
  const [revokeKey] = useRevokeKeyMutation();
  const { submit, pending } = useSubmit();
  const { id, name, prefix, scopes, networks, created_at, created_by, expires_at, used_at, revoked_at } =
    apiKey;
  const { refused_at, refused_address } = apiKey;

  async function revoke() {
    const sure = await confirm({
      question: 'keys.revoke.question',
      action: 'keys.revoke',
      danger: true,
      children: <Text>{name}</Text>,
    });
    if (sure) await submit(() => revokeKey({ keyId: id }), { success: 'keys.revoked' });
  }

  return (
    <li className={classes.key}>
      <div className={classes.what}>
        <Group gap="sm">
          <Text fw={600} c={works(apiKey) ? undefined : 'dimmed'}>
            {name}
          </Text>
          <code className={classes.prefix}>{`cns_${prefix}…`}</code>
          {!works(apiKey) && (
            <Badge color="gray">
              {revoked_at ? t('keys.revokedAt', { at: format.moment(revoked_at) }) : t('keys.expired')}
            </Badge>
          )}
          {works(apiKey) && timeLeft(apiKey) < SOON && <Badge color="orange">{t('keys.expiresSoon')}</Badge>}
        </Group>
        <DescriptionList>
          <DescriptionItem name={t('keys.scopes')}>{scopes.map(wordsOf).join(', ')}</DescriptionItem>
          <DescriptionItem name={t('keys.networks')}>{networks.join(', ')}</DescriptionItem>
          <DescriptionItem name={t('keys.usedAt')}>
            {used_at ? format.moment(used_at) : t('keys.neverUsed')}
          </DescriptionItem>
          {refused_at && (
            <DescriptionItem name={t('keys.refused')}>
              {t('keys.refusedFrom', { at: format.moment(refused_at), address: refused_address || '—' })}
            </DescriptionItem>
          )}
          <DescriptionItem name={t('keys.lastDay')}>
            {expires_at ? format.day(format.dayOf(lastMoment(expires_at))) : t('keys.noEnd')}
          </DescriptionItem>
          <DescriptionItem name={t('keys.madeBy')}>
            {t('keys.madeByAt', { by: created_by.email, at: format.moment(created_at) })}
          </DescriptionItem>
        </DescriptionList>
      </div>
      {works(apiKey) && (
        <Button
          variant="default"
          loading={pending}
          onClick={revoke}
          aria-label={t('keys.revokeNamed', { name })}
        >
          {t('keys.revoke')}
        </Button>
      )}
    </li>
  );
}
