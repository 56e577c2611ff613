import { Anchor, Button, Paper, Text, Title } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconCircleCheck,
  IconFileSpreadsheet,
  IconQuestionMark,
  IconReportAnalytics,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useDownloadMutation } from '@/api/download';
import type { ReconciliationRowView } from '@/api/generated';
import { parameters } from '@/api/upload';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { useSubmit } from '@/shared/forms/useSubmit';
import { type Column, DataTable } from '@/shared/lists/DataTable';
import { EmptyState } from '@/shared/ui/EmptyState';
import { toast } from '@/shared/ui/toast';
import importClasses from '../imports.module.css';
import { ROWS_ON_A_PAGE, RowPages } from '../RowPages';
import { useFocusedHeading } from '../useFocusedHeading';
import { DoubtfulRows } from './DoubtfulRows';
import classes from './reconciliation.module.css';
import type { Reconciling } from './useReconciliation';

interface Props {
  reconciling: Reconciling;
  shown: NonNullable<Reconciling['shown']>;
}

/** Show the rows to check, and below them the differences, the largest first. */
export function Differences({ reconciling, shown }: Props) {
  const t = useText();
  const format = useFormat();
  const { answer } = shown;
  const { counted, left_out, period, items, all_items } = answer;
  const mayRecord = useCan('details.add');
  const heading = useFocusedHeading(answer);
  const [paged, setPaged] = useState({ of: answer, page: 0 });
  const page = paged.of === answer ? paged.page : 0;
  const title = t('reconciliation.result', { from: format.day(period.since), to: format.day(period.until) });

  const columns: Column<ReconciliationRowView>[] = [
    {
      label: 'details.product',
      cell: ({ product, code, unit }) => (
        <div>
          <Text span fw={600}>
            {product || code}
          </Text>
          <Text size="sm" c="dimmed">
            {[product && code, unit].filter(Boolean).join(' · ')}
          </Text>
        </div>
      ),
    },
    { label: 'reports.by.area', cell: ({ area }) => area },
    { label: 'reconciliation.handedOut', numeric: true, cell: (row) => format.quantity(row.handed_out) },
    ...(
      [
        ['treatment', 'reports.treatment'],
        ['area_use', 'details.areaUse'],
        ['wasted', 'details.usedFor.wasted'],
        ['returned', 'reports.cameBack'],
      ] as const
    ).map(
      ([field, label]): Column<ReconciliationRowView> => ({
        label,
        numeric: true,
        minor: true,
        cell: ({ [field]: quantity }) => quantity !== null && format.quantity(quantity),
      }),
    ),
    {
      label: 'reconciliation.recorded',
      numeric: true,
      cell: ({ recorded }) => (recorded === null ? '–' : format.quantity(recorded)),
    },
    {
      label: 'reconciliation.difference',
      numeric: true,
      cell: (row) => (
        <>
          <Difference of={row.difference} />
          {mayRecord && row.product_id !== null && (row.difference ?? 0) > 0 && (
            <Anchor
              component={Link}
              to={`/consumption-sheets/areas/${row.area_id}?product=${row.product_id}&quantity=${row.difference}`}
              className={classes.record}
              aria-label={t('reconciliation.recordOf', { product: row.product })}
            >
              {t('reconciliation.record')}
            </Anchor>
          )}
        </>
      ),
    },
  ];

  return (
    <Paper withBorder component="section" aria-labelledby="compared" className={importClasses.checked}>
      <div className={classes.head}>
        <div>
          <Title order={2} id="compared" ref={heading} tabIndex={-1}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            <span>{t('reconciliation.counted', { rows: counted })}</span>{' '}
            {left_out > 0 && <span>{t('reconciliation.leftOut', { rows: left_out })}</span>}
          </Text>
        </div>
        <WorkbookButton reconciling={reconciling} shown={shown} />
      </div>
      <DoubtfulRows reconciling={reconciling} shown={shown} />
      {items.length === 0 ? (
        <EmptyState
          icon={<IconReportAnalytics size={40} stroke={1.25} aria-hidden />}
          title={t('reconciliation.none')}
          hint={t('reconciliation.noneHint')}
        />
      ) : (
        <div className={classes.differences}>
          <DataTable
            caption={title}
            columns={columns}
            rows={items.slice(page * ROWS_ON_A_PAGE, (page + 1) * ROWS_ON_A_PAGE)}
            rowKey={(row) => [row.area_id, row.area, row.product_id, row.code, row.product].join('|')}
            list={reconciling.list}
          />
        </div>
      )}
      {all_items > items.length && (
        <Text size="sm" px="1.25rem" pt="sm">
          {t('reconciliation.moreItems', { shown: items.length, all: all_items })}
        </Text>
      )}
      <RowPages rows={items.length} page={page} onChange={(to) => setPaged({ of: answer, page: to })} />
    </Paper>
  );
}

/** A difference with a word and an icon, readable without colours. */
function Difference({ of }: { of: number | null }) {
  const t = useText();
  const format = useFormat();
  const [tone, Icon, text] =
    of === null
      ? (['unknown', IconQuestionMark, t('reconciliation.unknown')] as const)
      : of > 0
        ? ([
            'unrecorded',
            IconArrowUp,
            t('reconciliation.unrecorded', { quantity: format.quantity(of) }),
          ] as const)
        : of < 0
          ? ([
              'surplus',
              IconArrowDown,
              t('reconciliation.surplus', { quantity: format.quantity(-of) }),
            ] as const)
          : (['same', IconCircleCheck, t('reconciliation.same')] as const);
  return (
    <span className={classes.difference} data-tone={tone}>
      <Icon size={18} stroke={1.75} aria-hidden />
      <span>{text}</span>
    </span>
  );
}

function WorkbookButton({ reconciling: { importing, pending: comparing }, shown }: Props) {
  const t = useText();
  const format = useFormat();
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();
  const { file } = importing;
  if (!file) return null;
  const { since, until } = shown.answer.period;
  // The period of the report that is shown, even if what the file has would give another.
  const query = parameters({ ...shown.query, from: since, to: until });
  const fileName = `${t('reconciliation.title')} ${format.dayOf(new Date())}.xlsx`;
  return (
    <Button
      variant="default"
      classNames={{ root: importClasses.wrapped, label: importClasses.wrapped }}
      leftSection={<IconFileSpreadsheet size={20} aria-hidden />}
      loading={pending}
      disabled={comparing}
      onClick={() =>
        submit(
          () => download({ path: '/api/reports/reconciliation/workbook', query, body: file, fileName }),
          {
            onProblem: ({ status, messages }) => {
              // Only the download failed, so the page stays as it is.
              if (status === null || status < 500) return false;
              toast.error(messages.map(({ text }) => text).join(' ') || t('error.unexpected'));
              return true;
            },
          },
        )
      }
    >
      {t('list.asWorkbook')}
    </Button>
  );
}
