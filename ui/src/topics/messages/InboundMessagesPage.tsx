import { Anchor, Checkbox, Group, Stack, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type InboundMessageView,
  type ListInboundMessagesApiArg,
  useListInboundMessagesQuery,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { ListTabs } from '@/shared/lists/ListTabs';
import { ListToolbar } from '@/shared/lists/ListToolbar';
import { choiceAmong, choiceFilter } from '@/shared/lists/listFilters';
import { SearchField } from '@/shared/lists/SearchField';
import { useListState } from '@/shared/lists/useListState';
import { EmptyState } from '@/shared/ui/EmptyState';
import { PageLoader } from '@/shared/ui/PageLoader';
import { InboundMessage, stateWords } from './InboundMessage';
import { MessageTabs } from './MessageTabs';
import { kindWords } from './questions';
import { ReasonChips } from './ReasonChips';
import { SelectedMessages } from './SelectedMessages';

type State = InboundMessageView['state'];

const kinds = Object.entries(kindWords).map(([value, label]) => ({ value, label, code: value }));

/** States that are chosen in the list of all messages. */
const settledStates: State[] = ['applied', 'ignored', 'dismissed'];
const stateChoices = settledStates.map((value) => ({ value, label: stateWords[value] }));

interface MessageList {
  /** The `list` in the address; the first one needs none. */
  value?: string;
  label: MessageId;
  none: MessageId;
  hint: MessageId;
}

const heldList: MessageList = {
  label: 'messages.held',
  none: 'messages.noneHeld',
  hint: 'messages.noneHeldHint',
};
const allList: MessageList = {
  value: 'all',
  label: 'messages.all',
  none: 'messages.none',
  hint: 'messages.noneHint',
};
const refusedList: MessageList = {
  value: 'refused',
  label: 'messages.refusedList',
  none: 'messages.noneRefused',
  hint: 'messages.noneRefusedHint',
};
const lists = [heldList, refusedList, allList];

/** List the messages of the hospital's system, the held ones first. */
export default function InboundMessagesPage() {
  const t = useText();
  const mayDecide = useCan('messages.decide');
  const list = useListState();
  const shownList = lists.find(({ value }) => value === list.filter('list')) ?? heldList;
  const isHeldList = shownList === heldList;
  const settled =
    shownList === allList
      ? (choiceAmong(stateChoices, list.filter('state')) as State | undefined)
      : undefined;
  const query: ListInboundMessagesApiArg = {
    state: isHeldList ? 'held' : shownList === refusedList ? 'refused' : settled,
    kind: choiceAmong(kinds, list.filter('kind')),
    reason: isHeldList ? list.filter('reason') : undefined,
    q: list.q,
    after: list.filterId('cursor'),
  };
  // New messages may have arrived, and other users decide too.
  const read = useListInboundMessagesQuery(query, { refetchOnMountOrArgChange: true });
  throwOnError(read);
  const page = read.currentData;
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  // Only messages in view: decisions about others would be unseen.
  const decidable = mayDecide ? (page?.items.filter(({ state }) => state === 'held') ?? []) : [];
  const selected = decidable.filter(({ id }) => marked.has(id)).map(({ id }) => id);
  const narrowed = Boolean(query.kind || query.reason || query.q || settled);

  function mark(ids: number[], on: boolean) {
    const next = new Set(marked);
    for (const id of ids) on ? next.add(id) : next.delete(id);
    setMarked(next);
  }

  return (
    <Stack gap="md">
      <MessageTabs at="/messages" />
      <ListTabs
        label="messages.title"
        lists={lists.map((one) => ({
          to: one.value ? `/messages?list=${one.value}` : '/messages',
          label: one.label,
          here: one === shownList,
        }))}
      />
      <ListToolbar
        list={list}
        search={<SearchField list={list} label={t('messages.search')} />}
        filters={[
          choiceFilter(t, {
            list,
            name: 'kind',
            label: 'messages.kind',
            all: 'messages.everyKind',
            choices: kinds,
          }),
          ...(shownList === allList
            ? [
                choiceFilter(t, {
                  list,
                  name: 'state',
                  label: 'messages.state',
                  all: 'messages.everyState',
                  choices: stateChoices,
                }),
              ]
            : []),
        ]}
      />
      {read.data && isHeldList && (
        <ReasonChips
          // Those of the previous list meanwhile, so that the chosen chip keeps the focus.
          reasons={read.data.reasons}
          chosen={query.reason}
          onChoose={(reason) => list.narrow({ reason })}
        />
      )}
      {!page && <PageLoader />}
      {page?.items.length === 0 && (
        <EmptyState
          title={t(page.next ? 'messages.noneYet' : narrowed ? 'list.nothingFound' : shownList.none)}
          hint={page.next ? undefined : t(narrowed ? 'list.nothingFoundHint' : shownList.hint)}
        />
      )}
      {decidable.length > 0 && (
        <Checkbox
          id={MARK_ALL}
          label={t('messages.markAll')}
          checked={selected.length === decidable.length}
          indeterminate={selected.length > 0 && selected.length < decidable.length}
          onChange={({ currentTarget: { checked } }) =>
            mark(
              decidable.map(({ id }) => id),
              checked,
            )
          }
        />
      )}
      {page?.items.map((message) => (
        <InboundMessage
          key={message.id}
          message={message}
          marked={marked.has(message.id)}
          onMark={(on) => mark([message.id], on)}
        />
      ))}
      {page?.next && (
        <Group>
          <Anchor component={Link} to={list.hrefWith({ cursor: String(page.next) })}>
            {t(page.items.length === 0 ? 'messages.searchOn' : 'messages.more')}
          </Anchor>
        </Group>
      )}
      {selected.length > 0 && (
        <SelectedMessages
          ids={selected}
          onClear={() => {
            setMarked(new Set());
            document.getElementById(MARK_ALL)?.focus();
          }}
        />
      )}
      <VisuallyHidden role="status">
        {page && !read.isFetching && t('messages.shown', { count: page.items.length })}
      </VisuallyHidden>
    </Stack>
  );
}

const MARK_ALL = 'mark-all-messages';
