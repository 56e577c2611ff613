import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { type DetailValues, isWaiting, type Line } from '@/outbox/outbox';
import { type DetailForm, useDetailRules } from './useDetailForm';
import type { SheetOutbox } from './useOutbox';
import { useQuantityDoubt } from './useQuantityDoubt';

interface Props {
  /** Whether the sheet takes nothing any more. */
  over: boolean;
  outbox: SheetOutbox;
  form: DetailForm;
}

/** What was entered and is not recorded, and what a person can do about it: nothing is lost in silence. */
export function UnrecordedNotice({ over, outbox, form }: Props) {
  const t = useText();
  const { unrecorded } = outbox;
  const { stopped } = outbox.state;
  const held = unrecorded.filter((line) => over || !isWaiting(line));
  const begun = over && form.values.product ? form.values : null;
  const waiting = stopped && !over ? unrecorded.length - held.length : 0;
  const leftOver = held.filter(({ status }) => status === 'leftOver').length;

  if (held.length === 0 && !begun && waiting === 0) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('details.unrecorded')} role="alert">
      <Stack gap="sm">
        {leftOver > 0 && !over && (
          <Group justify="space-between" gap="sm">
            <Text flex="1 1 16rem">{t('details.keptFromBefore')}</Text>
            <Button onClick={outbox.releaseLeftOvers}>{t('details.recordKept', { kept: leftOver })}</Button>
          </Group>
        )}
        {waiting > 0 && (
          <Group justify="space-between" gap="sm">
            <Text>{t('details.waitingForServer', { waiting })}</Text>
            <Button onClick={outbox.retry}>{t('action.retry')}</Button>
          </Group>
        )}
        {held.map((line) => (
          <Group key={line.key} justify="space-between" gap="sm">
            <div>
              <Name values={line.values} />
              {line.status === 'refused' && <Text c="red">{line.reason}</Text>}
              {line.status === 'setAside' &&
                line.values.asked.map(({ code, text }) => (
                  <Text key={code} c="red">
                    {text}
                  </Text>
                ))}
            </div>
            {!over && (
              <Group gap="sm">
                <Button variant="default" onClick={() => outbox.drop(line)}>
                  {t('details.discard')}
                </Button>
                {line.status !== 'leftOver' && (
                  <Button variant="default" onClick={() => outbox.correct(line)}>
                    {t('details.correct')}
                  </Button>
                )}
                {line.status === 'refused' && line.values.asked.length > 0 && (
                  <Button onClick={() => outbox.release(line)}>{t('scan.recordSo')}</Button>
                )}
                {line.status === 'setAside' && (
                  <RecordButton values={line.values} onRecord={() => outbox.release(line)} />
                )}
              </Group>
            )}
          </Group>
        ))}
        {begun && <Name values={begun} />}
      </Stack>
    </Alert>
  );
}

/** Where nothing about it is to be asked. */
function RecordButton({ values, onRecord }: Pick<Line, 'values'> & { onRecord: () => void }) {
  const t = useText();
  const { product_id, quantity, scanned, asked } = values;
  const rules = useDetailRules();
  const doubtOf = useQuantityDoubt(product_id);
  if (!quantity || rules.quantity(quantity) || doubtOf(quantity as number) || scanned?.unconfirmed)
    return null;
  return <Button onClick={onRecord}>{t(asked.length > 0 ? 'scan.recordSo' : 'details.add')}</Button>;
}

function Name({ values: { quantity, product } }: { values: DetailValues }) {
  const format = useFormat();
  return (
    <Text fw={600}>
      {typeof quantity === 'string' ? quantity : format.quantity(quantity ?? 0)} × {product?.name}
    </Text>
  );
}
