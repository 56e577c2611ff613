import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  type BadgeView,
  useAddBadgeMutation,
  useListBadgesQuery,
  useRemoveBadgeMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { ignoreScannerEnter } from '@/scan/ignoreScannerEnter';
import { focusFirstError } from '@/shared/forms/focusFirstError';
import { useSubmit } from '@/shared/forms/useSubmit';
import { useConfirmed } from '../proofs/useConfirmed';
import classes from './Sessions.module.css';

/** Maximum number of badges of one person. */
const MAX_BADGES = 3;
const EMPTY = { badge: '', name: '' };

interface Props {
  userId: number;
  own?: boolean;
}

/** List, add and remove the badges of the user's own account or of a managed one. */
export function Badges({ userId, own = false }: Props) {
  const t = useText();
  const badges = useListBadgesQuery({ userId }, { refetchOnMountOrArgChange: true });
  throwOnError(badges);
  const items = badges.currentData?.items;
  if (!items) return null;
  return (
    <Paper withBorder component="section" aria-labelledby="badges-title" className={classes.card}>
      <Title order={2} id="badges-title" fz="lg">
        {t('badges.of')}
      </Title>
      {own && <Text>{t('badges.hint')}</Text>}
      {items.length === 0 && <Text c="dimmed">{t('badges.none')}</Text>}
      <ul className={classes.list}>
        {items.map((badge) => (
          <Row key={badge.id} badge={badge} userId={userId} />
        ))}
      </ul>
      {items.length < MAX_BADGES && <AddBadge userId={userId} />}
    </Paper>
  );
}

function Row({ badge, userId }: { badge: BadgeView; userId: number }) {
  const t = useText();
  const format = useFormat();
  const [removeBadge] = useRemoveBadgeMutation();
  const { submit, pending } = useSubmit();
  const name = badge.name || t('badges.unnamed');
  const remove = () =>
    submit(() => removeBadge({ userId, badgeId: badge.id }), { success: 'badges.removed' });
  return (
    <li className={classes.session}>
      <div className={classes.what}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {badge.used_at
            ? t('badges.lastUsed', { moment: format.moment(badge.used_at) })
            : t('badges.neverUsed')}
        </Text>
      </div>
      <Button
        variant="default"
        loading={pending}
        onClick={remove}
        aria-label={t('badges.removeNamed', { name })}
      >
        {t('badges.remove')}
      </Button>
    </li>
  );
}

function AddBadge({ userId }: { userId: number }) {
  const t = useText();
  const [addBadge] = useAddBadgeMutation();
  const { confirmed, dialog } = useConfirmed();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: EMPTY,
    validate: { badge: (badge) => (badge.trim() ? null : t('form.required')) },
  });

  async function save({ badge, name }: typeof form.values) {
    const badgeDraft = { badge, name: name.trim() || undefined };
    const saved = await submit(() => confirmed(() => addBadge({ userId, badgeDraft })), {
      form,
      success: 'badges.added',
    });
    if (!saved.ok) return;
    // The saved values became the initial ones.
    form.setInitialValues(EMPTY);
    form.reset();
  }

  return (
    <>
      <form
        noValidate
        onKeyDown={ignoreScannerEnter}
        onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}
      >
        <Stack gap="md" mt="sm">
          <TextInput
            label={t('badges.code')}
            description={t('badges.codeHint')}
            required
            autoComplete="off"
            data-scan="own"
            {...form.getInputProps('badge')}
          />
          <TextInput
            label={t('badges.name')}
            description={t('badges.nameHint')}
            maxLength={60}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={pending}>
              {t('badges.add')}
            </Button>
          </Group>
        </Stack>
      </form>
      {dialog}
    </>
  );
}
