import { Button } from '@mantine/core';
import type { UnusualSheetView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { fullName } from '@/shared/records/fullName';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { Item } from './Item';
import { useJudgement } from './useJudgement';

const sentences: Partial<Record<UnusualSheetView['kind'], MessageId>> = {
  sheet_quiet: 'worklist.quiet',
  sheet_open_long: 'worklist.openLong',
  sheet_without_line_today: 'worklist.noneToday',
};

/** An open sheet without lines, or open for long. */
export function UnusualSheetRow({ unusual: { kind, sheet, days } }: { unusual: UnusualSheetView }) {
  const t = useText();
  const neverRecorded = kind === 'sheet_without_line_today' && sheet.last_recorded_at === null;
  const { judge, pending } = useJudgement({ kind, sheetId: sheet.id });
  return (
    <Item
      to={detailsOf(sheet)}
      patient={sheet.patient}
      room={sheet.room.name}
      since={t('home.admitted', { days: sheet.days_open })}
      buttons={
        <Button
          variant="default"
          loading={pending}
          onClick={judge}
          aria-label={t('worklist.rightOf', { what: fullName(sheet.patient) })}
        >
          {t('worklist.right')}
        </Button>
      }
    >
      {t(neverRecorded ? 'worklist.noneYet' : (sentences[kind] ?? 'worklist.quiet'), { days })}
    </Item>
  );
}
