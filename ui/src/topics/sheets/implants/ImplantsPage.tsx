import { Anchor, Text, TextInput } from '@mantine/core';
import { IconId, IconPackageOff } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type ImplantView,
  type PatientView,
  type ProductView,
  useListImplantsQuery,
  useListPatientsQuery,
  useReadPatientQuery,
  useReadProductQuery,
} from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import type { MessageId } from '@/i18n/language';
import type { Translate } from '@/i18n/messages';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { choiceAmong, choiceFilter, daysFilter, type Filter, searchFilter } from '@/shared/lists/listFilters';
import { RowLink } from '@/shared/lists/RowLink';
import tableClasses from '@/shared/lists/table.module.css';
import { type ListState, useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { useReturnState } from '@/shared/ui/useReturnPath';
import { codeAndUnit, useAllProducts } from '@/topics/catalogue/productSearch';
import { areaReasons } from '../lines/wasteReasons';
import classes from './implants.module.css';

const states: { value: string; label: MessageId }[] = [
  { value: '1', label: 'implants.incomplete' },
  { value: '0', label: 'implants.complete' },
];

const usePatients = (q: string | undefined, skip: boolean) =>
  useListPatientsQuery({ q, limit: OPTIONS_LIMIT }, { skip });

/** The register of implants: which patient got which one, to find them when a lot turns out to be faulty. */
export default function ImplantsPage() {
  const t = useText();
  const format = useFormat();
  const mayRecall = useCan('recalls.manage');
  const here = useReturnState();
  const list = useListState();

  const columns: Column<ImplantView>[] = [
    {
      label: 'sheets.patient',
      cell: ({ id, patient }) => (
        <RowLink to={`/consumption-sheet-details/${id}`} state={here}>
          {fullName(patient)}
        </RowLink>
      ),
    },
    {
      label: 'details.product',
      sort: 'product',
      cell: ({ product, quantity }) =>
        quantity === 1 ? nameAndCode(product) : format.counted(quantity, nameAndCode(product)),
    },
    { label: 'implants.identity', cell: (implant) => <Identity implant={implant} /> },
    { label: 'details.expiry', minor: true, cell: ({ expiry }) => expiry && format.day(expiry) },
    {
      label: 'details.date',
      sort: 'created_at',
      cell: ({ day }) => <span className={tableClasses.whole}>{format.day(day)}</span>,
    },
    {
      label: 'details.sheet',
      numeric: true,
      cell: ({ consumption_sheet_id: sheet }) => (
        <Anchor component={Link} to={`/consumption-sheets/${sheet}`} className={tableClasses.ownLink}>
          {t('details.sheetNumber', { id: sheet })}
        </Anchor>
      ),
    },
  ];
  const { page, q, from, to, cursor } = list;
  const sort = sortAmong(columns, list.sort);
  const productId = list.filterId('product');
  const patientId = list.filterId('patient');
  const [lot, serial] = [list.filter('lot'), list.filter('serial')];
  const state = choiceAmong(states, list.filter('incomplete'));
  const incomplete = state ? state === '1' : undefined;
  const asked = { page, sort, q, cursor, productId, patientId, from, to, lot, serial, incomplete };
  const implants = useListImplantsQuery(asked, { refetchOnMountOrArgChange: true });
  const product = useReadProductQuery({ productId: productId ?? 0 }, { skip: productId === undefined });
  const patient = useReadPatientQuery({ patientId: patientId ?? 0 }, { skip: patientId === undefined });
  return (
    <ListPage
      title="implants.title"
      list={list}
      answer={implants}
      columns={columns}
      menu={
        mayRecall
          ? ({ product, lot }) => ({
              of: nameAndCode(product),
              items: lot
                ? [
                    {
                      label: t('implants.recall'),
                      icon: IconPackageOff,
                      to: `/recalls/create?${new URLSearchParams({ product: String(product.id), lot })}`,
                    },
                  ]
                : [],
            })
          : undefined
      }
      defaultSort="-created_at"
      search="details.search"
      filters={[
        daysFilter(t, { list, format, label: 'details.days', from: 'details.from', to: 'details.to' }),
        searchFilter<ProductView>({
          list,
          name: 'product',
          label: t('details.product'),
          all: t('details.allProducts'),
          useFound: useAllProducts,
          nameOf: ({ name }) => name,
          noteOf: codeAndUnit,
          valueName: product.currentData?.name,
        }),
        searchFilter<PatientView>({
          list,
          name: 'patient',
          label: t('sheets.patient'),
          all: t('implants.all'),
          useFound: usePatients,
          nameOf: fullName,
          noteOf: ({ record_number: number }) => number,
          valueName: patient.currentData && fullName(patient.currentData),
        }),
        textFilter(t, list, 'lot', 'details.lot'),
        textFilter(t, list, 'serial', 'details.serial'),
        choiceFilter(t, {
          list,
          name: 'incomplete',
          label: 'implants.identity',
          all: 'implants.all',
          choices: states,
        }),
      ]}
      exportFrom={{
        path: '/api/implants',
        query: { sort, q, product_id: productId, patient_id: patientId, from, to, lot, serial, incomplete },
      }}
      empty={{ icon: IconId, title: 'implants.empty', hint: 'implants.emptyHint' }}
    />
  );
}

/** The lot and the serial number, and why one of them is missing. */
function Identity({ implant }: { implant: ImplantView }) {
  const { lot, serial, missing, implant_reason: reason, use_reason: wasted } = implant;
  const t = useText();
  return (
    <>
      {[lot && t('scan.lot', { lot }), serial && t('scan.serial', { serial })].filter(Boolean).map((part) => (
        <Text key={part} span inherit className={classes.part}>
          {part}
        </Text>
      ))}
      {wasted && (
        <Text span size="sm" c="dimmed" className={classes.part}>
          {t('waste.note', { why: t(areaReasons[wasted]) })}
        </Text>
      )}
      {missing && !wasted && (
        <Text span size="sm" c={reason ? 'dimmed' : 'var(--warn)'} className={classes.part}>
          {reason ? t('implants.missing', { reason }) : t('implants.missingWithoutReason')}
        </Text>
      )}
    </>
  );
}

/** Create a filter by a text, which applies when its field is left. */
function textFilter(t: Translate, list: ListState, name: 'lot' | 'serial', label: MessageId): Filter {
  const value = list.filter(name);
  const apply = (text: string) => {
    const next = text.trim();
    if (next !== (value ?? '')) list.narrow({ [name]: next });
  };
  return {
    name,
    label: t(label),
    value,
    off: { [name]: '' },
    field: (alone, done) => (
      <TextFilterField label={t(label)} value={value} alone={alone} onApply={apply} onDone={done} />
    ),
  };
}

interface FieldProps {
  label: string;
  value: string | undefined;
  alone: boolean;
  onApply: (text: string) => void;
  onDone: () => void;
}

function TextFilterField({ label, value = '', alone, onApply, onDone }: FieldProps) {
  const [typed, setTyped] = useState(value);
  const [applied, setApplied] = useState(value);
  if (applied !== value) {
    setApplied(value);
    setTyped(value);
  }
  return (
    <TextInput
      label={label}
      value={typed}
      maxLength={50}
      autoComplete="off"
      autoFocus={alone}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => onApply(typed)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        onApply(typed);
        onDone();
      }}
    />
  );
}
