import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { type DetailValues, isWaiting, type OutboxLine } from '@/outbox/outboxSlice';
import { type DetailForm, useDetailRules } from './useDetailForm';
import { useQuantityWarning } from './useQuantityWarning';
import type { SheetOutbox } from './useSheetOutbox';

interface Props {
  /** Whether the sheet takes nothing any more. */
  over: boolean;
  outbox: SheetOutbox;
  form: DetailForm;
}

/** What was entered and waits for a person, and what that one can do about it: nothing is lost in silence. */
export function UnrecordedNotice({ over, outbox, form }: Props) {
  const t = useText();
  const held = outbox.unrecorded.filter((line) => !isWaiting(line));
  const begun = over && form.values.product ? form.values : null;

  if (held.length === 0 && !begun) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('details.unrecorded')} role="alert">
      <Stack gap="sm">
        {held.map((line) => (
          <Held key={line.key} line={line} over={over} outbox={outbox} />
        ))}
        {begun && <Name values={begun} />}
      </Stack>
    </Alert>
  );
}

function Held({ line, over, outbox }: { line: OutboxLine } & Pick<Props, 'over' | 'outbox'>) {
  const t = useText();
  const { items, status, messages } = line;
  const [values] = items;
  const asked = values?.asked ?? [];
  const isRefused = status === 'refused';
  // Several may be refused for the same reason.
  const told = [...new Set((isRefused ? messages : asked).map(({ text }) => text))];
  return (
    <Group justify="space-between" gap="sm">
      <div>
        {items.map((one, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they keep their places, and a product may stand twice.
          <Name key={place} values={one} />
        ))}
        {told.map((text) => (
          <Text key={text} c="red">
            {text}
          </Text>
        ))}
      </div>
      <Group gap="sm">
        {(!over || isRefused) && (
          <Button variant="default" onClick={() => outbox.drop(line)}>
            {t('details.discard')}
          </Button>
        )}
        {!over && (
          <>
            <Button variant="default" onClick={() => outbox.correct(line)}>
              {t('details.correct')}
            </Button>
            {isRefused && asked.length > 0 && (
              <Button onClick={() => outbox.release(line)}>{t('scan.recordSo')}</Button>
            )}
            {!isRefused && values && <RecordButton values={values} onRecord={() => outbox.release(line)} />}
          </>
        )}
      </Group>
    </Group>
  );
}

/** Where nothing about it is to be asked. */
function RecordButton({ values, onRecord }: { values: DetailValues; onRecord: () => void }) {
  const t = useText();
  const { product_id, quantity, scanned, asked } = values;
  const rules = useDetailRules();
  const warningOf = useQuantityWarning(product_id);
  if (!quantity || rules.quantity(quantity) || warningOf(quantity as number) || scanned?.unconfirmed)
    return null;
  return <Button onClick={onRecord}>{t(asked.length > 0 ? 'scan.recordSo' : 'details.add')}</Button>;
}

function Name({ values: { quantity, product } }: { values: DetailValues }) {
  const format = useFormat();
  return (
    <Text fw={600}>
      {`${typeof quantity === 'string' ? quantity : format.quantity(quantity ?? 0)} × ${product?.name ?? ''}`}
    </Text>
  );
}
