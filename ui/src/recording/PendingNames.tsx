import { Text } from '@mantine/core';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { DetailValues } from '@/outbox/outboxSlice';
import { nameOfEntry } from '@/scan/destinationName';
import { labelText } from '@/scan/labelText';
import type { Entry } from '@/scan/queue';
import { fullName } from '@/shared/records/fullName';
import { nameAndCode } from '@/shared/records/nameAndCode';
import type { Row } from './scanning/recorderState';

interface Props {
  rows: Row[];
  /** Return the scans that wait, when the question is shown. */
  readLooking: () => Entry[];
  /** The draft in the record bar. */
  values: DetailValues;
}

/** List what is not recorded yet, in the question before the page is left. */
export function PendingNames({ rows, readLooking, values }: Props) {
  const t = useText();
  const format = useFormat();
  const nameOf = ({ quantity, product }: DetailValues) =>
    format.counted(quantity, product ? nameAndCode(product) : '');
  const names = rows.map((row) => {
    if (row.kind === 'line') return nameOf(row.values);
    if (row.kind === 'inactive') return row.product;
    if (row.kind === 'note') return format.counted(row.quantity, row.description);
    if (row.kind === 'setAside') return format.counted(row.unit.quantity, row.unit.product);
    if (row.kind === 'wristband') return row.people.map(fullName).join(', ');
    if (row.kind === 'label') return t(labelText(row.label));
    return t('scan.codeOf', { code: row.scan.raw.trim() });
  });
  for (const entry of readLooking()) names.push(nameOfEntry(entry));
  if (values.product) names.push(nameOf(values));
  if (names.length === 0) return null;
  return (
    <Text component="ul" m={0} mb="sm" p={0} ps="lg">
      {names.map((name, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed, and a name may occur twice.
        <li key={place}>{name}</li>
      ))}
    </Text>
  );
}
