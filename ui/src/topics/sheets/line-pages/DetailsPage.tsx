import { Anchor, Text } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import {
  type AreaView,
  type DetailView,
  type ProductView,
  type SheetView,
  type StaffView,
  useListDetailsQuery,
  useReadAreaQuery,
  useReadProductQuery,
  useReadSheetQuery,
  useReadStaffQuery,
} from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { duplicateNames } from '@/shared/forms/duplicateNames';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { choiceFilter, daysFilter, searchFilter } from '@/shared/lists/listFilters';
import { RowLink } from '@/shared/lists/RowLink';
import tableClasses from '@/shared/lists/table.module.css';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { Code } from '@/shared/ui/Code';
import { useReturnState } from '@/shared/ui/useReturnPath';
import { useActiveProducts } from '@/topics/catalogue/productSearch';
import { useAreas } from '@/topics/catalogue/useAreas';
import { useStaff } from '../lines/DetailSelects';
import { AREA_REASONS, areaReasons } from '../lines/wasteReasons';
import { SheetNote, sheetName, useOpenSheets } from '../OpenSheetSelect';
import { usedForAmong, usedForLabels } from './usedFor';
import { useReportFilters } from './useReportFilters';

/** List the details of all sheets, newest first. */
export default function DetailsPage() {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const seesStaff = useCan('staff.manage');
  const mayAdd = useCan('details.add');
  const here = useReturnState();
  const list = useListState();

  const columns: Column<DetailView>[] = [
    {
      label: 'details.product',
      sort: 'product',
      cell: ({ id, product, use_reason }) => (
        <>
          <RowLink to={`/consumption-sheet-details/${id}`} state={here}>
            {product.name}
          </RowLink>{' '}
          <Code code={product.code} equal={isDuplicate(product)} />
          {use_reason && (
            <Text size="sm" c="dimmed">
              {t(areaReasons[use_reason])}
            </Text>
          )}
        </>
      ),
    },
    {
      label: 'details.quantity',
      sort: 'quantity',
      numeric: true,
      cell: ({ quantity }) => format.quantity(quantity),
    },
  ];
  if (seesPrices) {
    columns.push({
      label: 'sheets.total',
      sort: 'total',
      numeric: true,
      cell: ({ total }) => total !== undefined && format.money(total),
    });
  }
  columns.push(
    { label: 'details.staff', cell: ({ staff }) => staff && fullName(staff) },
    { label: 'details.area', minor: true, cell: ({ area }) => area?.name },
    {
      label: 'details.date',
      sort: 'created_at',
      cell: (line) => <span className={tableClasses.roomy}>{format.moment(timeOfUse(line))}</span>,
    },
    {
      label: 'details.sheet',
      numeric: true,
      cell: ({ consumption_sheet_id: id, area_id, unbilled }) =>
        usedFor === 'area' || unbilled === 'area' ? (
          <Anchor
            component={Link}
            to={`/consumption-sheets/areas/${area_id}`}
            className={tableClasses.ownLink}
          >
            {t('details.areaUse')}
          </Anchor>
        ) : (
          <Anchor component={Link} to={`/consumption-sheets/${id}`} className={tableClasses.ownLink}>
            {t('details.sheetNumber', { id })}
          </Anchor>
        ),
    },
  );

  const { page, q, from, to, cursor } = list;
  const sort = sortAmong(columns, list.sort);
  const sheetId = list.filterId('sheet');
  const productId = list.filterId('product');
  const staffId = seesStaff ? list.filterId('staff') : undefined;
  const areaId = list.filterId('area');
  const asked = list.filter('for');
  const usedFor = asked ? usedForAmong(asked, 'patients') : undefined;
  const useReason = AREA_REASONS.find((one) => one === list.filter('use_reason'));
  const { filters, values } = useReportFilters(list);
  const details = useListDetailsQuery({
    ...values,
    page,
    sort,
    q,
    cursor,
    consumptionSheetId: sheetId,
    productId,
    staffId,
    areaId,
    usedFor,
    useReason,
    from,
    to,
  });
  const isDuplicate = duplicateNames((details.data?.items ?? []).map(({ product }) => product));
  const sheet = useReadSheetQuery({ sheetId: sheetId ?? 0 }, { skip: sheetId === undefined });
  const product = useReadProductQuery({ productId: productId ?? 0 }, { skip: productId === undefined });
  const staff = useReadStaffQuery({ staffId: staffId ?? 0 }, { skip: staffId === undefined });
  const area = useReadAreaQuery({ areaId: areaId ?? 0 }, { skip: areaId === undefined });
  return (
    <ListPage
      title="details.all"
      list={list}
      answer={details}
      columns={columns}
      defaultSort="-created_at"
      search="details.search"
      filters={[
        searchFilter<SheetView>({
          list,
          name: 'sheet',
          label: t('details.sheet'),
          all: t('details.allSheets'),
          useFound: useOpenSheets,
          nameOf: sheetName,
          noteOf: (one) => <SheetNote sheet={one} />,
          valueName: sheet.currentData && sheetName(sheet.currentData),
        }),
        searchFilter<ProductView>({
          list,
          name: 'product',
          label: t('details.product'),
          all: t('details.allProducts'),
          useFound: useActiveProducts,
          nameOf: ({ name }) => name,
          noteOf: ({ code }) => code,
          valueName: product.currentData?.name,
        }),
        ...(seesStaff
          ? [
              searchFilter<StaffView>({
                list,
                name: 'staff',
                label: t('details.staff'),
                all: t('details.allStaff'),
                useFound: useStaff,
                nameOf: fullName,
                valueName: staff.currentData && fullName(staff.currentData),
              }),
            ]
          : []),
        searchFilter<AreaView>({
          list,
          name: 'area',
          label: t('details.area'),
          all: t('details.allAreas'),
          useFound: useAreas,
          nameOf: ({ name }) => name,
          valueName: area.currentData?.name,
        }),
        daysFilter(t, { list, format, label: 'details.days', from: 'details.from', to: 'details.to' }),
        choiceFilter(t, {
          list,
          name: 'for',
          label: 'details.usedFor',
          all: 'details.usedFor.patients',
          choices: (['all', 'area', 'wasted'] as const).map((value) => ({
            value,
            label: usedForLabels[value],
          })),
        }),
        choiceFilter(t, {
          list,
          name: 'use_reason',
          label: 'details.useReason',
          all: 'details.anyReason',
          choices: AREA_REASONS.map((value) => ({ value, label: areaReasons[value] })),
        }),
        ...filters,
      ]}
      exportFrom={{
        path: '/api/consumption-details',
        query: {
          sort,
          q,
          consumption_sheet_id: sheetId,
          product_id: productId,
          staff_id: staffId,
          area_id: areaId,
          category_id: values.categoryId,
          room_id: values.roomId,
          patient_id: values.patientId,
          shift: values.shift,
          used_for: usedFor,
          use_reason: useReason,
          from,
          to,
        },
      }}
      create={
        mayAdd
          ? {
              to: `/consumption-sheet-details/create${sheetId ? `?sheet=${sheetId}` : ''}`,
              label: 'details.create',
            }
          : undefined
      }
      empty={{ icon: IconListDetails, title: 'list.nothingFound', hint: 'details.noneHint' }}
    />
  );
}
