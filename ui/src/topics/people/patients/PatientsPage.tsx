import {
  IconClipboardPlus,
  IconFiles,
  IconPencil,
  IconUserHeart,
  IconUserQuestion,
} from '@tabler/icons-react';
import { type PatientView, useListPatientsQuery } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { choiceAmong, choiceFilter } from '@/shared/lists/listFilters';
import { RowLink } from '@/shared/lists/RowLink';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { NearestPeople } from '../NearestPeople';
import { PersonName } from '../PersonName';
import { useIdentity } from '../useIdentity';
import { usePatientWarning } from '../usePatientWarning';
import { mergedPageOf } from './MergedNotice';
import { PatientState } from './PatientState';

const states: { value: string; label: MessageId }[] = [
  { value: 'active', label: 'patients.allActive' },
  { value: 'inactive', label: 'patients.allInactive' },
  { value: 'merged', label: 'patients.allMerged' },
];

/** List all patients, present and former. */
export default function PatientsPage() {
  const t = useText();
  const maySave = useCan('patients.save');
  const mayOpen = useCan('sheets.open');
  const format = useFormat();
  const identity = useIdentity();
  const note = usePatientWarning();
  const list = useListState();

  const columns: Column<PatientView>[] = [
    {
      label: 'patients.name',
      sort: 'first_surname',
      noteSort: { label: 'person.recordNumber', sort: 'record_number' },
      cell: (patient) => (
        <RowLink to={patient.merged_into === null ? `/patients/${patient.id}` : mergedPageOf(patient.id)}>
          <PersonName person={patient} />
        </RowLink>
      ),
      note: identity,
    },
    {
      label: 'patients.born',
      sort: 'date_of_birth',
      cell: ({ date_of_birth: born }) => born && format.day(born),
    },
    {
      label: 'patients.state',
      sort: 'active',
      figure: true,
      cell: (patient) => <PatientState patient={patient} />,
    },
  ];

  const { page, q } = list;
  const sort = sortAmong(columns, list.sort);
  const state = choiceAmong(states, list.filter('state'));
  const active = state === 'active' || (state === 'inactive' ? false : undefined);
  const merged = state === 'merged' || undefined;
  const patients = useListPatientsQuery({ page, sort, q, active, merged });
  return (
    <ListPage
      title="patients.title"
      list={list}
      answer={patients}
      columns={columns}
      menu={(patient) => ({
        of: fullName(patient),
        items: [
          ...(mayOpen && patient.active === 1
            ? [
                {
                  label: t('sheets.open'),
                  icon: IconClipboardPlus,
                  to: `/consumption-sheets/create?patient=${patient.id}`,
                },
              ]
            : []),
          {
            label: t('patients.closedSheets'),
            icon: IconFiles,
            to: `/consumption-sheets/closed?patient=${patient.id}`,
          },
          ...(maySave && patient.merged_into === null
            ? [{ label: t('patients.edit'), icon: IconPencil, to: `/patients/${patient.id}/edit` }]
            : []),
        ],
      })}
      defaultSort="first_surname"
      search="patients.search"
      filters={[
        choiceFilter(t, {
          list,
          name: 'state',
          label: 'patients.state',
          all: 'patients.all',
          choices: states,
        }),
      ]}
      exportFrom={{ path: '/api/patients', query: { sort, q, active, merged } }}
      beside={
        maySave && mayOpen
          ? [{ label: 'unidentified.admit', to: '/consumption-sheets/unidentified', icon: IconUserQuestion }]
          : undefined
      }
      imports="patients"
      create={maySave ? { to: '/patients/create', label: 'patients.create' } : undefined}
      offer={
        <NearestPeople
          people={(patients.data?.nearest ?? []).map((patient) => ({
            id: patient.id,
            to: patient.merged_into === null ? `/patients/${patient.id}` : mergedPageOf(patient.id),
            name: fullName(patient),
            note: note(patient),
          }))}
        />
      }
      empty={{ icon: IconUserHeart, title: 'patients.none', hint: 'patients.noneHint' }}
    />
  );
}
