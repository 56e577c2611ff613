import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import { Link, useParams } from 'react-router-dom';
import { type HistoryView, useReadSheetHistoryQuery, useReadSheetQuery } from '@/api/generated';
import { failOn } from '@/api/problem';
import { fullName } from '@/components/fullName';
import { PageLoader } from '@/components/PageLoader';
import { Pager } from '@/components/Pager';
import { pageOf } from '@/components/sheetAddresses';
import { useListState } from '@/components/useListState';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './SheetHistoryPage.module.css';
import { useStory } from './useStory';

const PER_PAGE = 50;

/** What happened to a sheet, newest first, in sentences. It outlives the sheet. */
export function SheetHistoryPage() {
  const t = useText();
  const sheetId = Number(useParams().id);
  const list = useListState();
  const { page, cursor } = list;
  const history = useReadSheetHistoryQuery(
    { sheetId, page, cursor, limit: PER_PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const sheet = useReadSheetQuery({ sheetId }).currentData;
  failOn(history);
  const { data } = history;
  if (!data) return <PageLoader />;
  return (
    <Stack gap="md">
      <Group gap="md">
        {sheet && (
          <Button
            component={Link}
            to={pageOf(sheet)}
            variant="default"
            leftSection={<IconArrowLeft size={20} aria-hidden />}
          >
            {t('sheets.history.back')}
          </Button>
        )}
        <Title order={2} fz="xl">
          {sheet ? fullName(sheet.patient) : (data.items[0]?.patient ?? t('sheets.history.ofDeleted'))}
        </Title>
      </Group>
      <Days entries={data.items} />
      <Pager list={list} meta={data.meta} shown={data.items.length} />
    </Stack>
  );
}

function Days({ entries }: { entries: HistoryView[] }) {
  const format = useFormat();
  const days = new Map<string, HistoryView[]>();
  for (const entry of entries) {
    const day = format.dayOf(entry.at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].map(([day, those]) => (
    <Paper key={day} withBorder component="section" className={classes.day} aria-labelledby={day}>
      <Title order={3} id={day}>
        {format.day(day)}
      </Title>
      <ol className={classes.entries}>
        {those.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </Paper>
  ));
}

function Entry({ entry }: { entry: HistoryView }) {
  const format = useFormat();
  const { sentence, changes } = useStory()(entry);
  return (
    <li className={classes.entry}>
      <time dateTime={entry.at}>{format.time(entry.at)}</time>
      <div>
        <Text>{sentence}</Text>
        {changes.length > 0 && (
          <ul className={classes.changes}>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}
