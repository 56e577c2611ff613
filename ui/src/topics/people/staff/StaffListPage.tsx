import { Text } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { type StaffView, useListStaffQuery } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { choiceAmong, choiceFilter } from '@/shared/lists/listFilters';
import { RowLink } from '@/shared/lists/RowLink';
import tableClasses from '@/shared/lists/table.module.css';
import { useListState } from '@/shared/lists/useListState';
import { ClampedText } from '@/shared/ui/ClampedText';
import { PersonName } from '../PersonName';

const accounts: { value: string; label: MessageId }[] = [{ value: 'none', label: 'staff.unassigned' }];

/** List the staff. */
export default function StaffListPage() {
  const t = useText();
  const mayManage = useCan('staff.manage');
  const list = useListState();

  const columns: Column<StaffView>[] = [
    {
      label: 'staff.name',
      sort: 'first_surname',
      cell: (staff) => (
        <RowLink to={`/staff/${staff.id}`}>
          <PersonName person={staff} />
        </RowLink>
      ),
    },
    { label: 'person.jobTitle', sort: 'job_title', cell: (staff) => staff.job_title },
    {
      label: 'person.telephone',
      cell: (staff) =>
        staff.telephone_number && (
          <ClampedText className={tableClasses.whole}>{staff.telephone_number}</ClampedText>
        ),
    },
    {
      label: 'staff.account',
      cell: (staff) =>
        staff.user_id === null ? (
          <Text span c="dimmed">
            {t('staff.noAccount')}
          </Text>
        ) : (
          t('staff.hasAccount')
        ),
    },
  ];

  const { page, q } = list;
  const sort = sortAmong(columns, list.sort);
  const unassigned = choiceAmong(accounts, list.filter('account')) ? true : undefined;
  const staff = useListStaffQuery({ page, sort, q, unassigned });
  return (
    <ListPage
      title="staff.title"
      list={list}
      answer={staff}
      columns={columns}
      defaultSort="first_surname"
      search="staff.search"
      filters={[
        choiceFilter(t, {
          list,
          name: 'account',
          label: 'staff.account',
          all: 'staff.all',
          choices: accounts,
        }),
      ]}
      exportFrom={{ path: '/api/staff', query: { sort, q, unassigned } }}
      imports="staff"
      create={mayManage ? { to: '/staff/create', label: 'staff.create' } : undefined}
      empty={{ icon: IconStethoscope, title: 'staff.none', hint: 'staff.noneHint' }}
    />
  );
}
