import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { AddingDetails, Entry } from './useAddDetail';
import { type DetailForm, type DetailValues, useDetailRules } from './useDetailForm';
import { useQuantityDoubt } from './useQuantityDoubt';

interface Props {
  /** Whether the sheet takes nothing any more. */
  over: boolean;
  adding: AddingDetails;
  form: DetailForm;
}

/** What was entered and is not recorded, and what a person can do about it: nothing is lost in silence. */
export function UnrecordedNotice({ over, adding, form }: Props) {
  const t = useText();
  const { unrecorded, stopped } = adding;
  const held = unrecorded.filter(({ refusal, kept }) => over || kept || refusal !== undefined);
  const begun = over && form.values.product ? form.values : null;
  const waiting = stopped && !over ? unrecorded.length - held.length : 0;
  const kept = held.filter((entry) => entry.kept).length;

  if (held.length === 0 && !begun && waiting === 0) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('details.unrecorded')} role="alert">
      <Stack gap="sm">
        {kept > 0 && !over && (
          <Group justify="space-between" gap="sm">
            <Text flex="1 1 16rem">{t('details.keptFromBefore')}</Text>
            <Button onClick={adding.recordKept}>{t('details.recordKept', { kept })}</Button>
          </Group>
        )}
        {waiting > 0 && (
          <Group justify="space-between" gap="sm">
            <Text>{t('details.waitingForServer', { waiting })}</Text>
            <Button onClick={adding.retry}>{t('action.retry')}</Button>
          </Group>
        )}
        {held.map((entry) => (
          <Group key={entry.key} justify="space-between" gap="sm">
            <div>
              <Name values={entry.values} />
              {entry.refusal && <Text c="red">{entry.refusal}</Text>}
            </div>
            {!over && (
              <Group gap="sm">
                <Button variant="default" onClick={() => adding.drop(entry)}>
                  {t('details.discard')}
                </Button>
                {!entry.kept && (
                  <Button variant="default" onClick={() => adding.correct(entry)}>
                    {t('details.correct')}
                  </Button>
                )}
                <RecordButton entry={entry} onRecord={() => adding.record(entry)} />
              </Group>
            )}
          </Group>
        ))}
        {begun && <Name values={begun} />}
      </Stack>
    </Alert>
  );
}

/** For what waits for the person alone, where nothing about it is to be asked. */
function RecordButton({ entry: { values, refusal }, onRecord }: { entry: Entry; onRecord: () => void }) {
  const t = useText();
  const { product_id, quantity } = values;
  const rules = useDetailRules();
  const doubtOf = useQuantityDoubt(refusal === '' ? product_id : null);
  if (refusal !== '' || !quantity || rules.quantity(quantity) || doubtOf(quantity as number)) return null;
  return <Button onClick={onRecord}>{t('details.add')}</Button>;
}

function Name({ values: { quantity, product } }: { values: DetailValues }) {
  const format = useFormat();
  return (
    <Text fw={600}>
      {typeof quantity === 'string' ? quantity : format.quantity(quantity ?? 0)} × {product?.name}
    </Text>
  );
}
