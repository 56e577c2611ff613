import { Alert, Anchor } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useListSheetsQuery } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { detailsOf } from '@/shared/records/sheetAddresses';

/**
 * Warn of the patient's other open sheets.
 *
 * A second one is allowed, but usually a mistake.
 */
export function OtherSheetsNotice({ patientId }: { patientId: number | null }) {
  const t = useText();
  const format = useFormat();
  const open = useListSheetsQuery(
    { patientId: patientId ?? undefined, limit: OPTIONS_LIMIT },
    { skip: patientId === null },
  );
  const others = patientId === null ? [] : (open.currentData?.items ?? []);
  return (
    <div role="status">
      {others.map((sheet) => (
        <Alert key={sheet.id} color="yellow" mb={4}>
          <span>
            {t('sheets.alreadyOpen', { day: format.day(sheet.admission_date), room: sheet.room.name })}
          </span>{' '}
          <Anchor component={Link} to={detailsOf(sheet)} c="inherit" underline="always" fw={600}>
            {t('sheets.alreadyOpenGo')}
          </Anchor>
        </Alert>
      ))}
    </div>
  );
}
