import { Anchor, Button, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { Link, useParams } from 'react-router-dom';
import { useDownloadMutation } from '@/api/download';
import {
  type MonthAccountsView,
  type MonthPartsView,
  type MonthView,
  useReadMonthQuery,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { DownloadReportButton } from '@/shared/forms/DownloadReportButton';
import { useSubmit } from '@/shared/forms/useSubmit';
import { useListState } from '@/shared/lists/useListState';
import { DescriptionItem, DescriptionList } from '@/shared/ui/DescriptionList';
import type { MoreItem } from '@/shared/ui/OverflowMenu';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import reportClasses from '../ConsumptionReportPage.module.css';
import { lastOf } from '../comparison';
import { ChangesTable } from './ChangesTable';
import { changeKinds, countKinds } from './changeKinds';
import { FiguresTable, groupingOf, groupings } from './FiguresTable';
import { monthParts } from './monthParts';
import classes from './months.module.css';
import { useCloseMonth } from './useCloseMonth';
import { useMonthName } from './useMonthName';

/** Show a closed month: what it was, what changed since, and how it compares with accounts. */
export default function MonthPage() {
  const t = useText();
  const format = useFormat();
  const nameOf = useMonthName();
  const monthId = Number(useParams().id);
  const read = useReadMonthQuery({ monthId }, { refetchOnMountOrArgChange: true });
  throwOnError(read);
  const month = read.currentData;
  const scope = month && (month.area ? (month.area.name ?? `#${month.area.id}`) : t('months.hospital'));
  usePageTitle(month && `${nameOf(month.month)} · ${scope}`);
  if (!month) return <PageLoader />;
  return (
    <Stack gap="md" className={classes.page}>
      <div className={classes.head}>
        <Text c="dimmed" className={classes.number}>
          {t('months.number', {
            ...{ number: month.id, turn: month.turn },
            ...{ moment: format.moment(month.at), by: month.by },
          })}
        </Text>
        <Actions month={month} name={`${t('months.one')} ${month.month} ${scope}`} />
      </div>
      <Sentence month={month} />
      <Versions month={month} />
      <Parts sums={month.sums} />
      {month.changes.count > 0 && <ChangesTable title="months.changes" changes={month.changes} />}
      {month.made_here.count > 0 && <ChangesTable title="months.madeHere" changes={month.made_here} />}
      <Accounts accounts={month.accounts} />
      <Figures month={month} />
    </Stack>
  );
}

/** Say what the month was, by how much it changed since, and what the report says today. */
function Sentence({ month }: { month: MonthView }) {
  const t = useText();
  const format = useFormat();
  const nameOf = useMonthName();
  const { total, changes } = month;
  const query = new URLSearchParams({
    ...{ by: 'product', from: `${month.month}-01`, to: lastOf(month.month) },
    ...(month.area && { area: String(month.area.id) }),
  });
  return (
    <div>
      <Text className={classes.sentence}>
        {t('months.sentence', {
          how: changes.count === 0 ? 'same' : changes.total === 0 ? 'equal' : 'other',
          month: nameOf(month.month),
          was: format.money(total),
          change: format.signedMoney(changes.total),
          now: format.money(total + changes.total),
        })}
      </Text>
      {changes.count === changes.items.length && changes.count > 0 && (
        <Text>
          {countKinds(changes.items)
            .map(([kind, count]) => t(changeKinds[kind].counted, { count }))
            .join(', ')}
        </Text>
      )}
      <Anchor component={Link} to={`/reports/consumption?${query}`} className={classes.report}>
        {t('months.report')}
      </Anchor>
    </div>
  );
}

/** Links to the versions of a month, if there are several. */
function Versions({ month: { id, versions } }: { month: MonthView }) {
  const t = useText();
  const format = useFormat();
  if (versions.length < 2) return null;
  return (
    <nav className={classes.versions} aria-label={t('months.versions')}>
      {versions.map((one) => (
        <Anchor
          key={one.id}
          component={Link}
          to={`/reports/months/${one.id}`}
          aria-current={one.id === id ? 'page' : undefined}
          className={classes.report}
        >
          {t('months.versionOf', { turn: one.turn, total: format.money(one.total) })}
        </Anchor>
      ))}
    </nav>
  );
}

function Actions({ month, name }: { month: MonthView; name: string }) {
  const t = useText();
  const mayClose = useCan('months.close');
  const [download] = useDownloadMutation();
  const { submit, pending: saving } = useSubmit();
  const { close, pending: closing } = useCloseMonth();
  const path = `/api/months/${month.id}`;
  const save = () => submit(() => download({ path: `${path}/xlsx`, query: {}, fileName: `${name}.xlsx` }));
  const closeAgain = () =>
    close(
      { month: month.month, area_id: month.area?.id, turn: month.turn + 1 },
      month.area && (month.area.name ?? `#${month.area.id}`),
    );
  const mayCloseAgain = mayClose && month.versions.at(-1)?.id === month.id && month.changes.count > 0;
  const items: MoreItem[] = [{ label: t('restock.workbook'), icon: IconFileSpreadsheet, run: save }];
  return (
    <div className={classes.actions}>
      <div className={classes.narrow}>
        <OverflowMenuButton label={t('details.moreActions')} items={items} busy={saving} />
      </div>
      <Button
        className={classes.wide}
        variant="default"
        leftSection={<IconFileSpreadsheet size={20} aria-hidden />}
        loading={saving}
        onClick={save}
      >
        {t('restock.workbook')}
      </Button>
      <DownloadReportButton path={`${path}/pdf`} name={name} className={reportClasses.download} />
      {mayCloseAgain && (
        <Button loading={closing} onClick={closeAgain}>
          {t('months.closeAgain')}
        </Button>
      )}
    </div>
  );
}

/** The sums of the three parts of all use. */
function Parts({ sums }: { sums: MonthPartsView }) {
  const t = useText();
  const format = useFormat();
  return (
    <div className={classes.parts}>
      {monthParts.map(({ part, label }) => {
        const { lines, total, value, returned } = sums[part];
        return (
          <Paper key={part} withBorder component="section" className={classes.part} aria-labelledby={part}>
            <Title order={2} size="h5" id={part}>
              {t(label)}
            </Title>
            <Text className={classes.total}>{format.money(total)}</Text>
            <Text size="sm" c="dimmed">
              {[
                t('months.value', { value: format.money(value) }),
                t('reports.details', { count: lines }),
                returned > 0 && t('months.returned', { quantity: format.quantity(returned) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </Paper>
        );
      })}
    </div>
  );
}

/** How the sums of patients' lines compare with their accounts and with what was charged. */
function Accounts({ accounts }: { accounts: MonthAccountsView }) {
  const t = useText();
  const format = useFormat();
  const { closed, open, charged, charged_open, unsent } = accounts;
  const sheets = (of: typeof closed) =>
    [t('months.sheets', { count: of.sheets }), format.money(of.total)].join(' · ');
  return (
    <Paper withBorder component="section" p="md" aria-labelledby="accounts">
      <Title order={2} size="h3" id="accounts" mb="xs">
        {t('months.accounts')}
      </Title>
      <DescriptionList>
        <DescriptionItem name={t('months.accounts.closed')}>{sheets(closed)}</DescriptionItem>
        <DescriptionItem name={t('months.accounts.open')}>{sheets(open)}</DescriptionItem>
        <DescriptionItem name={t('months.accounts.charged')}>
          {charged !== null && format.money(charged)}
        </DescriptionItem>
        <DescriptionItem name={t('months.accounts.chargedOpen')}>
          {Boolean(charged_open) && format.money(charged_open ?? 0)}
        </DescriptionItem>
        <DescriptionItem name={t('months.accounts.unsent')}>
          {Boolean(unsent) && format.money(unsent ?? 0)}
        </DescriptionItem>
      </DescriptionList>
    </Paper>
  );
}

/** The frozen figures by product, area, category or day. */
function Figures({ month }: { month: MonthView }) {
  const t = useText();
  const list = useListState();
  const by = groupingOf(list.filter('by'));
  return (
    <Stack component="section" gap="xs" aria-labelledby="figures">
      <Title order={2} size="h3" id="figures">
        {t('months.figures')}
      </Title>
      <SegmentedControl
        aria-label={t('reports.by')}
        className={classes.by}
        value={by}
        onChange={(chosen) => list.narrow({ by: chosen })}
        data={groupings.map((value) => ({ value, label: t(`reports.by.${value}`) }))}
      />
      <FiguresTable key={by} month={month} by={by} />
      <Text size="sm" c="dimmed">
        {t('months.figuresHint')}
      </Text>
    </Stack>
  );
}
