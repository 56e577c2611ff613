import { Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { type UserView, useListAuditQuery, useListUsersQuery, useReadUserQuery } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { ListToolbar } from '@/shared/lists/ListToolbar';
import { choiceFilter, daysFilter, type Filter, searchFilter } from '@/shared/lists/listFilters';
import { Pager } from '@/shared/lists/Pager';
import { useExport } from '@/shared/lists/useExport';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { EmptyState } from '@/shared/ui/EmptyState';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import { AuditList } from './AuditList';

const nameOf = ({ profile, email }: UserView) => (profile ? fullName(profile) : email);
const useUsers = (q: string | undefined, skip: boolean) =>
  useListUsersQuery({ q, limit: OPTIONS_LIMIT }, { skip });

/** List the audit log, for users who may read it. */
export default function AuditPage() {
  const t = useText();
  const format = useFormat();
  const list = useListState();
  const { page, cursor, from, to } = list;
  const userId = list.filterId('user');
  const entity = list.filter('about');
  // A single record, if a page of a user or another record links here.
  const entityId = entity ? list.filterId('id') : undefined;
  const action = entity ? list.filter('action') : undefined;
  const filters = { user_id: userId, entity, entity_id: entityId, action, from, to };
  const log = useListAuditQuery(
    { page, cursor, userId, entity, entityId, action, from, to },
    { refetchOnMountOrArgChange: true },
  );
  throwOnError(log);
  const person = useReadUserQuery({ userId: userId ?? 0 }, { skip: userId === undefined });
  const { data } = log;
  const theOne = data?.items[0]?.subject ?? `#${entityId}`;
  const nothing = data?.meta.total === 0;
  const exported = useExport({
    path: '/api/audit',
    query: filters,
    name: t('audit.title'),
    disabled: nothing,
  });
  const toolbar: Filter[] = [
    searchFilter<UserView>({
      list,
      name: 'user',
      label: t('audit.who'),
      all: t('audit.everyone'),
      useFound: useUsers,
      nameOf,
      noteOf: ({ email }) => email,
      // A deleted user is not found any more, but still has entries.
      valueName: userId === undefined ? '' : person.currentData ? nameOf(person.currentData) : `#${userId}`,
    }),
    choiceFilter(t, {
      list,
      name: 'about',
      label: 'audit.about',
      all: 'audit.everything',
      choices: data?.entities ?? [],
      clears: ['action', 'id'],
    }),
    ...(entity
      ? [
          choiceFilter(t, {
            list,
            name: 'action',
            label: 'audit.action',
            all: 'audit.anyAction',
            choices: log.currentData?.actions ?? [],
          }),
        ]
      : []),
    daysFilter(t, { list, format, label: 'details.days', from: 'audit.from', to: 'audit.to' }),
    ...(entityId ? [{ name: 'id', label: t('audit.only'), value: theOne, off: { id: '' as const } }] : []),
  ];
  return (
    <Stack gap="md">
      <ListToolbar
        list={list}
        filters={toolbar}
        more={
          <OverflowMenuButton label={t('details.moreActions')} items={exported.items} busy={exported.busy} />
        }
      />
      {!data && <Loading />}
      {nothing && (
        <Paper withBorder>
          <EmptyState
            icon={<IconHistory size={40} stroke={1.25} aria-hidden />}
            title={t('list.nothingFound')}
            hint={t('audit.nothingHint')}
          />
        </Paper>
      )}
      {data && <AuditList entries={data.items} personHref={(id) => list.hrefWith({ user: String(id) })} />}
      {data && <Pager list={list} meta={data.meta} shown={data.items.length} />}
      <VisuallyHidden role="status">
        {data && !log.isFetching && !nothing && t('list.found', { total: data.meta.total })}
      </VisuallyHidden>
    </Stack>
  );
}

function Loading() {
  return (
    <Paper withBorder p="lg" aria-busy>
      <Stack gap="lg">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton key={key} height="1.25rem" radius="sm" />
        ))}
      </Stack>
    </Paper>
  );
}
