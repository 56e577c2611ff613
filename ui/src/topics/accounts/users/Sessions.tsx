import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import {
  type SessionView,
  type SignInMethod,
  useEndDeviceSessionsMutation,
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useListSessionsQuery,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { DescriptionItem, DescriptionList } from '@/shared/ui/DescriptionList';
import classes from './Sessions.module.css';

const HOW: Record<SignInMethod, MessageId> = {
  password: 'sessions.how.password',
  oidc: 'sessions.how.oidc',
  passkey: 'sessions.how.passkey',
  'password+passkey': 'sessions.how.passwordAndPasskey',
  activation: 'sessions.how.activation',
};

interface Props {
  userId: number;
  own?: boolean;
}

/** List and end the sessions of the user's own account or of a managed one. */
export function Sessions({ userId, own = false }: Props) {
  const t = useText();
  const confirm = useConfirm();
  const sessions = useListSessionsQuery({ userId }, { refetchOnMountOrArgChange: true });
  const [endOthers] = useEndOtherSessionsMutation();
  const { submit, pending } = useSubmit();
  throwOnError(sessions);
  const items = sessions.currentData?.items;
  if (!items) return null;
  const others = items.filter(({ current }) => !current);

  async function endAll() {
    const question = own ? 'sessions.endOthers.question' : 'sessions.endAll.question';
    if (!(await confirm({ question, action: own ? 'sessions.endOthers' : 'sessions.endAll', danger: true })))
      return;
    await submit(() => endOthers({ userId }), { success: 'sessions.ended' });
  }

  return (
    <Paper withBorder component="section" aria-labelledby="sessions-title" className={classes.card}>
      <Group justify="space-between" gap="sm">
        <Title order={2} id="sessions-title" fz="lg">
          {t(own ? 'sessions.own' : 'sessions.title')}
        </Title>
        {others.length > (own ? 0 : 1) && (
          <Button variant="default" loading={pending} onClick={endAll}>
            {t(own ? 'sessions.endOthers' : 'sessions.endAll')}
          </Button>
        )}
      </Group>
      {items.length === 0 && <Text c="dimmed">{t('sessions.none')}</Text>}
      <ul className={classes.list}>
        {items.map((session) => (
          <Row key={session.id} session={session} userId={userId} />
        ))}
      </ul>
    </Paper>
  );
}

function Row({ session, userId }: { session: SessionView; userId: number }) {
  const t = useText();
  const format = useFormat();
  const mayEndDevice = useCan('users.manage');
  const [endSession] = useEndSessionMutation();
  const { submit, pending } = useSubmit();
  const { browser, system, client, address, began_at, used_at, current, device, locked, how } = session;
  const name =
    browser && system ? t('sessions.browserOn', { browser, system }) : (browser ?? system ?? client);

  const end = () =>
    submit(() => endSession({ userId, sessionId: session.id }), { success: 'sessions.endedOne' });

  return (
    <li className={classes.session}>
      <div className={classes.what}>
        <Group gap="sm">
          <Text fw={600}>{name || t('sessions.unknown')}</Text>
          {current && <Badge>{t('sessions.current')}</Badge>}
          {locked && <Badge color="gray">{t('sessions.locked')}</Badge>}
        </Group>
        <DescriptionList>
          <DescriptionItem name={t('audit.address')}>{address}</DescriptionItem>
          <DescriptionItem name={t('sessions.since')}>{began_at && format.moment(began_at)}</DescriptionItem>
          <DescriptionItem name={t('sessions.lastUsed')}>{used_at && format.moment(used_at)}</DescriptionItem>
          <DescriptionItem name={t('sessions.how')}>{t(HOW[how])}</DescriptionItem>
          <DescriptionItem name={t('sessions.device')}>{device && shown(device)}</DescriptionItem>
        </DescriptionList>
      </div>
      {!current && mayEndDevice && device && <LostDeviceButton device={device} />}
      {!current && (
        <Button
          variant="default"
          loading={pending}
          onClick={end}
          aria-label={t('sessions.endNamed', { name: name || t('sessions.unknown') })}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}

/** Return the part of a device's thumbprint that people compare. */
const shown = (device: string) => device.slice(0, 8);

/** End all sessions on a device that was lost, of everyone whose account this user manages. */
function LostDeviceButton({ device }: { device: string }) {
  const t = useText();
  const confirm = useConfirm();
  const [endDeviceSessions] = useEndDeviceSessionsMutation();
  const { submit, pending } = useSubmit();

  async function end() {
    const sure = await confirm({
      question: 'sessions.lost.question',
      action: 'sessions.lost.action',
      danger: true,
      children: t('sessions.lost.hint', { device: shown(device) }),
    });
    if (sure) await submit(() => endDeviceSessions({ device }), { success: 'sessions.lost.done' });
  }

  return (
    <Button variant="subtle" color="red" loading={pending} onClick={end}>
      {t('sessions.lost')}
    </Button>
  );
}
