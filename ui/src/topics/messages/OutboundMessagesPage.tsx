import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconMailCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type OutboundMessageView,
  useListOutboundMessagesQuery,
  useRetryOutboundMessageMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { useSubmit } from '@/shared/forms/useSubmit';
import { ListTabs } from '@/shared/lists/ListTabs';
import { ListToolbar } from '@/shared/lists/ListToolbar';
import { Pager } from '@/shared/lists/Pager';
import { useExport } from '@/shared/lists/useExport';
import { useListState } from '@/shared/lists/useListState';
import { EmptyState } from '@/shared/ui/EmptyState';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import { MessageTabs } from './MessageTabs';
import classes from './messages.module.css';
import { ReadMessage } from './ReadMessage';
import { SettleMessage } from './SettleMessage';

interface StateList {
  state: OutboundMessageView['state'];
  to: string;
  label: MessageId;
  none: MessageId;
  hint: MessageId;
}

const stopped: StateList = {
  state: 'dead',
  to: '/messages/outbound',
  label: 'outbound.dead',
  none: 'outbound.noneDead',
  hint: 'outbound.noneDeadHint',
};
const lists: StateList[] = [
  stopped,
  {
    state: 'waiting',
    to: '/messages/outbound?state=waiting',
    label: 'outbound.waiting',
    none: 'outbound.noneWaiting',
    hint: 'outbound.noneWaitingHint',
  },
  {
    state: 'sent',
    to: '/messages/outbound?state=sent',
    label: 'outbound.sent',
    none: 'outbound.noneSent',
    hint: 'outbound.noneSentHint',
  },
];

/**
 * List the messages to billing, the dead ones first.
 *
 * A person has to act on those.
 */
export default function OutboundMessagesPage() {
  const t = useText();
  const list = useListState();
  const [read, setRead] = useState<OutboundMessageView | null>(null);
  const [settled, setSettled] = useState<OutboundMessageView | null>(null);
  const { state, none, hint } = lists.find((one) => one.state === list.filter('state')) ?? stopped;
  const { page, cursor } = list;
  // Messages are sent in the meantime.
  const messages = useListOutboundMessagesQuery({ state, page, cursor }, { refetchOnMountOrArgChange: true });
  throwOnError(messages);
  const data = messages.currentData;
  const nothing = data?.meta.total === 0;
  const exported = useExport({
    path: '/api/outbound-messages',
    query: { state },
    name: t('outbound.title'),
    disabled: nothing,
  });
  return (
    <Stack gap="md">
      <MessageTabs at="/messages/outbound" />
      <ListTabs
        label="outbound.lists"
        lists={lists.map(({ to, label, state: each }) => ({ to, label, here: each === state }))}
      />
      <ListToolbar
        list={list}
        filters={[]}
        more={
          <OverflowMenuButton label={t('details.moreActions')} items={exported.items} busy={exported.busy} />
        }
      />
      {!data && <Skeleton height="12rem" />}
      {nothing && (
        <Paper withBorder>
          <EmptyState
            icon={<IconMailCheck size={40} stroke={1.25} aria-hidden />}
            title={t(none)}
            hint={t(hint)}
          />
        </Paper>
      )}
      {data && !nothing && (
        <Paper withBorder component="ul" className={classes.list} aria-label={t('outbound.title')}>
          {data.items.map((message) => (
            <Message
              key={message.id}
              message={message}
              onRead={() => setRead(message)}
              onSettle={() => setSettled(message)}
            />
          ))}
        </Paper>
      )}
      {data && <Pager list={list} meta={data.meta} shown={data.items.length} />}
      <VisuallyHidden role="status">
        {data && !messages.isFetching && !nothing && t('list.found', { total: data.meta.total })}
      </VisuallyHidden>
      <ReadMessage message={read} onClose={() => setRead(null)} />
      <SettleMessage key={settled?.id} message={settled} onClose={() => setSettled(null)} />
    </Stack>
  );
}

interface Props {
  message: OutboundMessageView;
  onRead: () => void;
  onSettle: () => void;
}

function Message({ message, onRead, onSettle }: Props) {
  const t = useText();
  const format = useFormat();
  const mayDecide = useCan('messages.decide');
  const mayRead = useCan('prices.see');
  const { consumption_sheet_id: sheet, charges, created_at, state, problem } = message;
  return (
    <li className={classes.message}>
      <div>
        <Group gap="xs">
          <Anchor component={Link} to={`/consumption-sheets/${sheet}`} fw={600}>
            {t('details.sheetNumber', { id: sheet })}
          </Anchor>
          <Text size="sm" c="dimmed">
            {t('outbound.written', { at: format.moment(created_at), charges })}
          </Text>
        </Group>
        {problem && <Text className={classes.problem}>{problem}</Text>}
        <Text size="sm" c="dimmed">
          <DeliveryStatus message={message} />
        </Text>
      </div>
      <Group gap="sm">
        {mayRead && (
          <Button variant="default" onClick={onRead}>
            {t('outbound.read')}
          </Button>
        )}
        {mayDecide && state !== 'sent' && (
          <>
            <RetryButton message={message} />
            <Button variant="default" onClick={onSettle}>
              {t('outbound.settle')}
            </Button>
          </>
        )}
      </Group>
    </li>
  );
}

function DeliveryStatus({ message }: { message: OutboundMessageView }) {
  const outcome = useOutcome(message);
  return <span>{outcome}</span>;
}

/** Describe the state of a message as a sentence. */
function useOutcome(message: OutboundMessageView) {
  const t = useText();
  const format = useFormat();
  const { state, tries, next_try_at, sent_at, decided_by, reason } = message;
  if (decided_by)
    return t('outbound.wasSettled', {
      by: decided_by,
      at: sent_at ? format.moment(sent_at) : '',
      reason: reason ?? '',
    });
  if (sent_at) return t('outbound.wasSent', { at: format.moment(sent_at) });
  if (state === 'dead') return t('outbound.triesMade', { tries });
  if (tries === 0 || !next_try_at) return t('outbound.soon');
  return t('outbound.nextTry', { tries, at: format.moment(next_try_at) });
}

function RetryButton({ message: { id } }: { message: OutboundMessageView }) {
  const t = useText();
  const [retryMessage] = useRetryOutboundMessageMutation();
  const { submit, pending } = useSubmit();
  const retry = () =>
    submit(() => retryMessage({ outboundMessageId: id }), { success: 'outbound.willBeSent' });
  return (
    <Button variant="default" loading={pending} onClick={retry}>
      {t('outbound.retry')}
    </Button>
  );
}
