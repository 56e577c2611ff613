import { Anchor, NativeSelect, Paper, Stack, Switch, VisuallyHidden } from '@mantine/core';
import { IconReportAnalytics } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router-dom';
import type {
  AreaView,
  ConsumptionBy,
  ConsumptionRowView,
  ConsumptionSumsView,
  PartsView,
  UsedFor,
} from '@/api/generated';
import { useReadAreaQuery, useReportConsumptionQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { DownloadReportButton } from '@/shared/forms/DownloadReportButton';
import { type Column, DataTable, sortAmong } from '@/shared/lists/DataTable';
import { ListToolbar } from '@/shared/lists/ListToolbar';
import { choiceFilter, daysFilter, searchFilter } from '@/shared/lists/listFilters';
import { Pager } from '@/shared/lists/Pager';
import tableClasses from '@/shared/lists/table.module.css';
import { useExport } from '@/shared/lists/useExport';
import { useListState } from '@/shared/lists/useListState';
import { EmptyState } from '@/shared/ui/EmptyState';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import { useAreas } from '@/topics/catalogue/useAreas';
import { usedForAmong } from '@/topics/sheets/line-pages/usedFor';
import { ConsumptionOverTime, MAX_POINTS } from './ConsumptionOverTime';
import classes from './ConsumptionReportPage.module.css';
import { changeFrom, linesHref, perDay } from './comparison';
import { PatientDays } from './PatientDays';
import { PeriodChoice } from './PeriodChoice';
import { daysAfter, daysFrom, usualPeriods } from './period';
import { ReportTabs } from './ReportTabs';
import { RowName } from './RowName';
import { Share } from './Share';
import { UsedForChoice } from './UsedForChoice';
import { useMeasure } from './useMeasure';
import { useNameOfRow } from './useNameOfRow';

const ROWS = 50;

const groupings: Record<ConsumptionBy, MessageId> = {
  day: 'reports.by.day',
  month: 'reports.by.month',
  shift: 'reports.by.shift',
  area: 'reports.by.area',
  room: 'reports.by.room',
  category: 'reports.by.category',
  product: 'reports.by.product',
  patient: 'reports.by.patient',
  use_reason: 'reports.by.use_reason',
  staff: 'reports.by.staff',
};

const parts = {
  treatment: 'reports.treatment',
  area: 'details.areaUse',
  wasted: 'details.usedFor.wasted',
} as const satisfies Record<keyof PartsView, MessageId>;

const amounts = {
  total: 'sheets.total',
  value: 'reports.value',
} as const satisfies Partial<Record<keyof ConsumptionSumsView, MessageId>>;

/**
 * Report the consumption of a period by a chosen grouping.
 *
 * All choices are in the URL.
 */
export default function ConsumptionReportPage() {
  const t = useText();
  const format = useFormat();
  const list = useListState();
  const usedFor = usedForAmong(list.filter('for'), 'all');
  const amount = usedFor === 'patients' ? 'total' : 'value';
  const measure = useMeasure(amount);
  const seesPrices = useCan('prices.see');
  const navigate = useNavigate();
  const reconciles = useCan('imports.run');
  const managesStaff = useCan('staff.manage');

  const choices = (Object.keys(groupings) as ConsumptionBy[]).filter((by) => by !== 'staff' || managesStaff);
  const by = choices.find((one) => one === list.filter('by')) ?? 'day';
  const inTime = by === 'day' || by === 'month';
  const compare = list.filter('compare') === 'previous' ? 'previous' : undefined;
  const { from, to, page } = list;
  const areaId = list.filterId('area');
  const nameOf = useNameOfRow(by);
  const returns = list.filter('what') === 'returns' || undefined;
  const title = t(returns ? 'reports.returns' : 'reports.title');

  const columns: Column<ConsumptionRowView>[] = [
    {
      label: groupings[by],
      sort: inTime ? 'key' : 'name',
      cell: (row) => <RowName by={by} row={row} list={list} />,
    },
    {
      label: 'reports.lines',
      sort: 'details',
      numeric: true,
      cell: (row) => {
        const to = data && linesHref(data, row, { areaId, usedFor, returns });
        const lines = format.quantity(row.details);
        if (!to) return lines;
        return (
          <Anchor
            component={Link}
            to={to}
            className={tableClasses.ownLink}
            aria-label={t('reports.openLines', { lines, of: nameOf(row) })}
          >
            {lines}
          </Anchor>
        );
      },
    },
  ];
  if (by === 'product') {
    columns.push({
      label: 'details.quantity',
      sort: 'quantity',
      numeric: true,
      cell: (row) => format.quantity(row.quantity),
    });
  }
  // Two periods of products leave no room for the parts.
  if (usedFor === 'all' && !(compare && by === 'product')) {
    const figure = by === 'product' ? 'quantity' : 'details';
    for (const part of Object.keys(parts) as (keyof PartsView)[]) {
      columns.push({
        label: parts[part],
        numeric: true,
        minor: true,
        cell: ({ parts }) => parts && format.quantity(parts[part][figure]),
      });
    }
  }
  for (const name of Object.keys(amounts) as (keyof typeof amounts)[]) {
    // What an area used is charged to no patient, and reports of patients have only the total.
    if (!seesPrices || usedFor === (name === 'total' ? 'area' : 'patients')) continue;
    columns.push({
      label: amounts[name],
      sort: name,
      numeric: true,
      cell: ({ [name]: sum }) => sum !== undefined && format.money(sum),
    });
  }

  if (compare) {
    columns.push(
      {
        label: 'reports.before',
        numeric: true,
        minor: by === 'product',
        cell: (row) => row.previous && measure.figure(measure.of(row.previous)),
      },
      {
        label: 'reports.change',
        numeric: true,
        cell: (row) => row.previous && format.change(changeFrom(measure.of(row.previous), measure.of(row))),
      },
    );
  }
  // The parts take the room of these columns.
  if (by === 'product' && usedFor !== 'all') {
    columns.push({
      label: 'reports.perPatientDay',
      numeric: true,
      minor: true,
      cell: (row) =>
        data?.sums.patient_days && format.quantity(perDay(row.quantity, data.sums.patient_days, 3)),
    });
  }

  const sort = sortAmong(columns, list.sort);
  const report = useReportConsumptionQuery({
    by,
    from,
    to,
    areaId,
    usedFor,
    returns,
    compare,
    page,
    sort,
    limit: ROWS,
  });
  throwOnError(report);
  const { data, isFetching } = report;
  const area = useReadAreaQuery({ areaId: areaId ?? 0 }, { skip: areaId === undefined });

  const shareOf = (row: ConsumptionRowView) => (data ? measure.of(row) / (measure.of(data.sums) || 1) : 0);
  const largest = Math.max(0, ...(data?.items ?? []).map(shareOf));
  if (!inTime && usedFor !== 'all') {
    columns.push({
      label: 'reports.share',
      minor: true,
      apart: true,
      cell: (row) => <Share part={shareOf(row)} largest={largest} />,
    });
  }
  if (data) {
    columns[0] = { ...columns[0], sum: t('reports.sum', { rows: data.meta.total }) } as (typeof columns)[0];
    for (const column of columns) {
      if (column.label === 'reports.lines') column.sum = format.quantity(data.sums.details);
      const amount = (Object.keys(amounts) as (keyof typeof amounts)[]).find(
        (one) => amounts[one] === column.label,
      );
      const sum = amount && data.sums[amount];
      if (sum !== undefined) column.sum = format.money(sum);
      const part = (Object.keys(parts) as (keyof PartsView)[]).find((one) => parts[one] === column.label);
      if (part && by !== 'product' && data.sums.parts)
        column.sum = format.quantity(data.sums.parts[part].details);
      const before = data.sums.previous;
      if (column.label === 'reports.before' && before) column.sum = measure.figure(measure.of(before));
      if (column.label === 'reports.change' && before)
        column.sum = format.change(changeFrom(measure.of(before), measure.of(data.sums)));
    }
  }

  const asked = { by, from, to, area_id: areaId, used_for: usedFor, returns, compare, sort };
  const today = format.dayOf(new Date());
  const period = data?.period;
  const days = usualPeriods.find((one) => period?.to === today && daysFrom(period.from, period.to) === one);

  const exported = useExport({
    path: '/api/reports/consumption',
    query: asked,
    name: title,
    disabled: !data?.meta.total,
  });
  return (
    <Stack gap="md">
      <ReportTabs at="/reports/consumption" />
      <ListToolbar
        list={list}
        search={
          <NativeSelect
            aria-label={t('reports.by')}
            data={choices.map((value) => ({
              value,
              label: t('reports.byThat', { what: t(groupings[value]).toLocaleLowerCase() }),
            }))}
            value={by}
            onChange={(event) => list.narrow({ by: event.currentTarget.value, sort: '' })}
          />
        }
        beside={
          <PeriodChoice
            days={days}
            onChange={(chosen) => list.narrow({ from: daysAfter(today, 1 - chosen), to: today })}
          />
        }
        filters={[
          choiceFilter(t, {
            list,
            name: 'what',
            label: 'reports.what',
            all: 'reports.used',
            choices: [{ value: 'returns', label: 'reports.cameBack' }],
          }),
          daysFilter(t, {
            list,
            format,
            label: 'details.days',
            from: 'reports.from',
            to: 'reports.to',
            // The default period of the report.
            usual: period,
          }),
          searchFilter<AreaView>({
            list,
            name: 'area',
            label: t('reports.by.area'),
            all: t('reports.allAreas'),
            useFound: useAreas,
            nameOf: ({ name }) => name,
            valueName: area.currentData?.name,
          }),
        ]}
        more={
          <OverflowMenuButton label={t('details.moreActions')} items={exported.items} busy={exported.busy} />
        }
        primary={
          <DownloadReportButton
            className={classes.download}
            path="/api/reports/consumption"
            query={{ ...asked, format: 'pdf' }}
            name={`${title} ${today}`}
            disabled={!data?.meta.total}
          />
        }
      />
      <div className={classes.head}>
        <UsedForChoice
          value={usedFor}
          onChange={(chosen) => list.narrow({ for: chosen === 'all' ? '' : chosen, sort: '' })}
        />
        <PatientDays sums={data?.sums} period={data?.previous_period} />
        {reconciles && (
          <Anchor component={Link} to="/reports/reconciliation" className={classes.reconcile}>
            {t('reconciliation.link')}
          </Anchor>
        )}
        <Switch
          className={classes.compare}
          label={t('reports.compare')}
          checked={compare !== undefined}
          onChange={(event) => list.narrow({ compare: event.currentTarget.checked ? 'previous' : '' })}
        />
      </div>
      {data?.meta.total === 0 ? (
        <Paper withBorder>
          <EmptyState
            icon={<IconReportAnalytics size={40} stroke={1.25} aria-hidden />}
            title={t(returns ? 'reports.noneCameBack' : 'reports.none')}
            hint={t('reports.noneHint')}
          />
        </Paper>
      ) : (
        <>
          {inTime && (
            <Paper withBorder p="lg">
              <OverTime
                by={by}
                from={period?.from}
                to={period?.to}
                areaId={areaId}
                usedFor={usedFor}
                returns={returns}
                compare={compare}
                onOpen={navigate}
              />
            </Paper>
          )}
          <Paper withBorder>
            <DataTable
              caption={title}
              columns={columns}
              rows={data?.items}
              rowKey={({ key }) => key}
              list={list}
              defaultSort={inTime ? 'key' : measure.sort}
              stale={isFetching}
            />
          </Paper>
        </>
      )}
      {data && <Pager list={list} meta={data.meta} shown={data.items.length} />}
      <VisuallyHidden role="status">
        {data && !isFetching && t('list.found', { total: data.meta.total })}
      </VisuallyHidden>
    </Stack>
  );
}

interface OverTimeProps {
  by: 'day' | 'month';
  from: string | undefined;
  to: string | undefined;
  areaId: number | undefined;
  usedFor: UsedFor;
  returns: true | undefined;
  compare: 'previous' | undefined;
  onOpen: (address: string) => void;
}

/**
 * Chart the whole period, by month if there are too many days.
 *
 * The chart is independent of the table's page and order.
 */
function OverTime({ by, from, to, areaId, usedFor, returns, compare, onOpen }: OverTimeProps) {
  const crowded = from !== undefined && to !== undefined && daysFrom(from, to) > MAX_POINTS;
  const report = useReportConsumptionQuery(
    {
      by: crowded ? 'month' : by,
      from,
      to,
      areaId,
      usedFor,
      returns,
      compare,
      sort: 'key',
      limit: MAX_POINTS,
    },
    { skip: !from },
  );
  throwOnError(report);
  const { data } = report;
  return (
    <ConsumptionOverTime
      report={data}
      onOpen={(row) => {
        const to = data && linesHref(data, row, { areaId, usedFor, returns });
        if (to) onOpen(to);
      }}
    />
  );
}
