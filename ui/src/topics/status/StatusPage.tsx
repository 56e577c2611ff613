import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import {
  type FindingView,
  type StatusLevel,
  useReadStatusQuery,
  useSendTestEmailMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useSubmit } from '@/shared/forms/useSubmit';
import { PageLoader } from '@/shared/ui/PageLoader';
import { toast } from '@/shared/ui/toast';
import classes from './status.module.css';
import { advices, names } from './texts';
import { useFacts } from './useFacts';

/** Refresh interval while the page is visible, in milliseconds. */
const INTERVAL = 30_000;

const levels = {
  ok: { icon: IconCircleCheck, word: 'status.ok' },
  warning: { icon: IconAlertTriangle, word: 'status.warning' },
  error: { icon: IconCircleX, word: 'status.error' },
} as const satisfies Record<StatusLevel, { icon: unknown; word: MessageId }>;

/** Where a part that needs attention is put right. */
const links: Partial<Record<NonNullable<FindingView['advice']>, { to: string; label: MessageId }>> = {
  inbound_held: { to: '/messages', label: 'status.seeMessages' },
  inbound_quiet: { to: '/messages', label: 'status.seeMessages' },
  billing_slow: { to: '/messages/outbound', label: 'status.seeMessages' },
  billing_stuck: { to: '/messages/outbound', label: 'status.seeMessages' },
  billing_dead: { to: '/messages/outbound', label: 'status.seeMessages' },
  lines_unsent: { to: '/worklist', label: 'status.seeWorklist' },
  lines_forgotten: { to: '/worklist', label: 'status.seeWorklist' },
};

/** Show what works on this server, and what needs attention. */
export default function StatusPage() {
  const t = useText();
  const format = useFormat();
  const { locked } = useSession();
  const status = useReadStatusQuery(undefined, {
    pollingInterval: locked ? 0 : INTERVAL,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: true,
    refetchOnFocus: true,
  });
  throwOnError(status);
  const { data } = status;
  if (!data) return <PageLoader />;
  const count = data.findings.filter(({ level }) => level !== 'ok').length;
  return (
    <Stack gap="sm" className={classes.page}>
      <div className={classes.head}>
        <Title order={2} className={classes.sum} aria-live="polite">
          {count === 0 ? t('status.allRight') : t('status.attention', { count })}
        </Title>
        <Text c="dimmed" size="sm">
          {t('status.asOf', { time: format.time(data.at) })}
        </Text>
      </div>
      <Paper withBorder className={classes.card}>
        <ul className={classes.list}>
          {data.findings.map((finding) => (
            <Row key={finding.key} finding={finding} at={data.at} />
          ))}
        </ul>
      </Paper>
    </Stack>
  );
}

function Row({ finding, at }: { finding: FindingView; at: string }) {
  const t = useText();
  const facts = useFacts(finding, at);
  const { key, level, advice } = finding;
  const { icon: Icon, word } = levels[level];
  const link = advice && links[advice];
  return (
    <li className={classes.row} data-level={level}>
      <span className={classes.level}>
        <Icon size={20} stroke={1.75} aria-hidden />
        <span>{t(word)}</span>
      </span>
      <div className={classes.what}>
        <Title order={3} className={classes.name}>
          {t(names[key])}
        </Title>
        {facts.map((fact) => (
          <Text key={fact} className={classes.fact}>
            {fact}
          </Text>
        ))}
        {advice && <Text className={classes.advice}>{t(advices[advice])}</Text>}
      </div>
      <div className={classes.action}>
        {link && (
          <Button component={Link} to={link.to} variant="default">
            {t(link.label)}
          </Button>
        )}
        {key === 'email' && advice === null && <TestEmail />}
      </div>
    </li>
  );
}

function TestEmail(): ReactNode {
  const t = useText();
  const [send] = useSendTestEmailMutation();
  const { submit, pending } = useSubmit();

  async function test() {
    const sent = await submit(() => send());
    if (sent.ok) toast.success(t('status.testSent', { email: sent.data.email }));
  }

  return (
    <Button variant="default" loading={pending} onClick={test}>
      {t('status.sendTest')}
    </Button>
  );
}
