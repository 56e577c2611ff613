import { Alert, Text } from '@mantine/core';
import type { SheetView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

/**
 * Show a discharge or a cancelled admission of an open sheet.
 *
 * The hospital's system reported it. It has no automatic effect: a person closes or deletes the sheet.
 */
export default function DischargeNotice({ sheet }: { sheet: SheetView }) {
  const t = useText();
  const format = useFormat();
  const { discharge_proposed_at: discharged, admission_cancelled_at: cancelled } = sheet;
  return (
    <>
      {discharged && (
        <Alert color="yellow" role="status">
          <Text fw={700}>{t('sheets.discharged')}</Text>
          <span>{t('sheets.discharged.what', { at: format.moment(discharged) })}</span>
        </Alert>
      )}
      {cancelled && (
        <Alert color="yellow" role="status">
          <Text fw={700}>{t('sheets.cancelled')}</Text>
          <span>{t('sheets.cancelled.what', { at: format.moment(cancelled) })}</span>
        </Alert>
      )}
    </>
  );
}
