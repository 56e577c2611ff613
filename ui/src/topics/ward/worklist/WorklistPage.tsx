import { Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useCountWorklistQuery, useReadWorklistQuery, type WorklistView } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { EmptyState } from '@/shared/ui/EmptyState';
import { PageLoader } from '@/shared/ui/PageLoader';
import { useCodeDialog } from '@/topics/catalogue/CodeDialog';
import { Group } from './Group';
import {
  DischargeRow,
  ExpiringKeyRow,
  HeldMessagesRow,
  LateEntriesRow,
  OpenFormsRow,
  RecalledUseRow,
  UnknownCodeRow,
  UnlistedItemsRow,
  UnsentLinesRow,
  WithoutPriceRow,
} from './rows';
import { UnusualLineRow } from './UnusualLineRow';
import { UnusualSheetRow } from './UnusualSheetRow';
import classes from './worklist.module.css';

/** List what waits for the supervisor, with the buttons that settle it. */
export default function WorklistPage() {
  const t = useText();
  // Other users record and decide meanwhile.
  const worklist = useReadWorklistQuery(undefined, { refetchOnMountOrArgChange: true, refetchOnFocus: true });
  throwOnError(worklist);
  const { data } = worklist;
  const count = data?.count;
  const { data: inMenu, refetch } = useCountWorklistQuery();
  // The number in the menu is that of this list.
  useEffect(() => {
    if (count !== undefined && inMenu && inMenu.count !== count) refetch();
  }, [count, inMenu, refetch]);
  if (!data) return <PageLoader />;
  if (data.count === 0)
    return (
      <EmptyState icon={<IconCircleCheck size={40} stroke={1.25} aria-hidden />} title={t('worklist.none')} />
    );
  return <Worklist worklist={data} />;
}

function Worklist({ worklist }: { worklist: WorklistView }) {
  const t = useText();
  const { ask, dialog } = useCodeDialog();
  const { held_messages: held, products_without_price: withoutPrice, max_per_kind: most } = worklist;
  return (
    <Stack gap="xl" className={classes.page}>
      <Group id="recalled" title="worklist.recalled" hint="worklist.recalledHint" most={most}>
        {worklist.recalled_uses.map((use) => (
          <RecalledUseRow key={use.detail_id} use={use} />
        ))}
      </Group>
      <Group id="lines" title="worklist.lines" hint="worklist.linesHint" most={most}>
        {worklist.unusual_lines.map((line) => (
          <UnusualLineRow key={`${line.kind} ${line.detail_id}`} line={line} />
        ))}
      </Group>
      <Group id="late" title="worklist.late" hint="worklist.lateHint" most={most}>
        {worklist.late_entries.map((late) => (
          <LateEntriesRow key={late.consumption_sheet_id} late={late} />
        ))}
      </Group>
      <Group id="unlisted" title="worklist.unlisted" hint="worklist.unlistedHint" most={most}>
        {worklist.unlisted_items.map((unlisted) => (
          <UnlistedItemsRow key={unlisted.consumption_sheet_id} unlisted={unlisted} />
        ))}
      </Group>
      <Group id="discharges" title="worklist.discharges" hint="worklist.dischargesHint" most={most}>
        {worklist.discharges.map((discharge) => (
          <DischargeRow key={discharge.consumption_sheet_id} discharge={discharge} />
        ))}
      </Group>
      <Group id="sheets" title="worklist.sheets" most={most}>
        {worklist.unusual_sheets.map((sheet) => (
          <UnusualSheetRow key={sheet.sheet.id} unusual={sheet} />
        ))}
      </Group>
      <Group id="unsent" title="worklist.unsent" hint="worklist.unsentHint" most={most}>
        {worklist.device_outboxes.map((outbox) => (
          <UnsentLinesRow key={outbox.id} outbox={outbox} />
        ))}
      </Group>
      <Group id="codes" title="worklist.codes" hint="worklist.codesHint" most={most}>
        {worklist.unknown_codes.map((code) => (
          <UnknownCodeRow
            key={`${code.system} ${code.code}`}
            code={code}
            onLink={() => ask({ unknown: code })}
          />
        ))}
      </Group>
      <Group id="others" title="worklist.others" most={most}>
        {worklist.open_forms > 0 && <OpenFormsRow count={worklist.open_forms} />}
        {held > 0 && <HeldMessagesRow count={held} />}
        {withoutPrice > 0 && <WithoutPriceRow count={withoutPrice} />}
        {worklist.expiring_keys.map((key) => (
          <ExpiringKeyRow key={key.id} expiring={key} />
        ))}
      </Group>
      <Text c="dimmed" size="sm">
        {t('worklist.isAll')}
      </Text>
      {dialog}
    </Stack>
  );
}
