import { Text } from '@mantine/core';
import { IconUserCog } from '@tabler/icons-react';
import { type UserView, useListUsersQuery } from '@/api/generated';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { RowLink } from '@/shared/lists/RowLink';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { ClampedText } from '@/shared/ui/ClampedText';
import { roleOf } from '../roles';

/** List the users whose accounts the present user manages. */
export default function UsersPage() {
  const t = useText();
  const { user: me } = useSession();
  const list = useListState();
  const hasProvider = Boolean(useReadSettingsQuery().data?.oidc);

  const columns: Column<UserView>[] = [
    {
      label: 'session.email',
      sort: 'email',
      cell: (user) => <RowLink to={`/users/${user.id}`}>{user.email}</RowLink>,
    },
    {
      label: 'users.person',
      cell: ({ id, profile }) => (
        <Text span inherit c={profile ? undefined : 'dimmed'}>
          <ClampedText entire>
            {(profile ? fullName(profile) : t('users.noProfile')) +
              (id === me?.id ? ` (${t('users.you')})` : '')}
          </ClampedText>
        </Text>
      ),
    },
    { label: 'users.role', sort: 'role', cell: ({ role }) => t(roleOf(role).name) },
    ...(hasProvider
      ? [
          {
            label: 'users.hospitalAccount' as const,
            cell: ({ oidc_linked, has_password }: UserView) =>
              oidc_linked && t(has_password ? 'users.linked' : 'users.linkedOnly'),
          },
        ]
      : []),
  ];

  const { page, q } = list;
  const sort = sortAmong(columns, list.sort);
  const users = useListUsersQuery({ page, sort, q });
  return (
    <ListPage
      title="users.title"
      list={list}
      answer={users}
      columns={columns}
      defaultSort="email"
      search="users.search"
      exportFrom={{ path: '/api/users', query: { sort, q } }}
      imports="users"
      create={{ to: '/users/create', label: 'users.create' }}
      empty={{ icon: IconUserCog, title: 'users.none', hint: 'users.noneHint' }}
    />
  );
}
