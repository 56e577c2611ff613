import { Alert, NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDownloadMutation } from '@/api/download';
import type { Decimal } from '@/i18n/decimal';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DecimalInput } from '@/shared/forms/DecimalInput';
import { DialogForm } from '@/shared/forms/DialogForm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { deviceStorage } from '@/state/storage';

/** What to print labels for. A band is a patient's wristband. */
export interface LabelsToPrint {
  what: 'product' | 'kit' | 'patient' | 'band';
  items: { id: number; name: string }[];
}

const LABELS = ['50x25', '57x32', 'a4-3x8', 'letter-3x10'] as const;
const SIZES = {
  product: LABELS,
  kit: ['a6', ...LABELS],
  patient: ['57x32', '50x25', 'a4-3x8', 'letter-3x10', 'band-adult', 'band-child'],
  band: ['band-adult', 'band-child', ...LABELS],
} as const;
const SIZE_NAMES = {
  '50x25': 'labels.size.50x25',
  '57x32': 'labels.size.57x32',
  'a4-3x8': 'labels.size.a4-3x8',
  'letter-3x10': 'labels.size.letter-3x10',
  'band-adult': 'labels.size.band-adult',
  'band-child': 'labels.size.band-child',
  a6: 'labels.size.a6',
} as const satisfies Record<string, MessageId>;
type Size = (typeof SIZES)[keyof typeof SIZES][number];
/** How many labels a label sheet has. */
const PLACES: { [size in Size]?: number } = { 'a4-3x8': 24, 'letter-3x10': 30 };
const MAX_COPIES = 50;
/** The size that was printed last on this device, by what was printed. */
const keyOf = (what: string) => `labelSize.${what}`;

interface Values {
  size: Size;
  symbol: string;
  copies: Decimal;
  start_at: Decimal;
}

/** Dialog that prints labels, kit cards or wristbands, in the browser's print dialog. */
export default function PrintLabelsDialog({ asked, onClose }: { asked: LabelsToPrint; onClose: () => void }) {
  const t = useText();
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();
  const { what, items } = asked;
  const sizes = SIZES[what];
  const last = deviceStorage.getItem(keyOf(what));
  const within = (value: Decimal, most: number) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most
      ? undefined
      : t('labels.range', { most });
  const form = useForm<Values>({
    initialValues: {
      size: sizes.find((size) => size === last) ?? sizes[0],
      symbol: 'auto',
      copies: 1,
      start_at: 1,
    },
    validate: {
      copies: (value) => within(value, MAX_COPIES),
      start_at: (value, { size }) => (PLACES[size] ? within(value, PLACES[size]) : undefined),
    },
  });
  const { size, copies } = form.values;

  async function print(values: Values) {
    const isPatient = what === 'patient' || what === 'band';
    const isBand = values.size.startsWith('band');
    const done = await submit(
      () =>
        download({
          path: '/api/labels',
          query: {},
          body: {
            what: isPatient ? (isBand ? 'band' : 'patient') : what,
            items: items.map(({ id }) => ({ id, copies: values.copies })),
            size: values.size,
            symbol: values.symbol,
            start_at: PLACES[values.size] ? values.start_at : 1,
          },
          fileName: `${t('labels.file')}.pdf`,
          prints: true,
        }),
      { form },
    );
    if (!done.ok) return;
    deviceStorage.setItem(keyOf(what), values.size);
    onClose();
  }

  const count = items.length * (typeof copies === 'number' ? copies : 1);
  const [only] = items;
  return (
    <Dialog opened onClose={onClose} title={t(what === 'band' ? 'labels.band' : 'labels.print')}>
      <DialogForm
        form={form}
        onSubmit={print}
        onCancel={onClose}
        action={t('action.print')}
        pending={pending}
      >
        <Text>{items.length === 1 && only ? only.name : t('labels.count', { count })}</Text>
        <NativeSelect
          label={t('labels.size')}
          data={sizes.map((value) => ({ value, label: t(SIZE_NAMES[value]) }))}
          data-autofocus
          {...form.getInputProps('size')}
        />
        {what === 'product' && (
          <NativeSelect
            label={t('labels.symbol')}
            data={[
              { value: 'auto', label: t('labels.symbol.auto') },
              { value: 'qr', label: t('labels.symbol.qr') },
            ]}
            {...form.getInputProps('symbol')}
          />
        )}
        <DecimalInput label={t('labels.copies')} required {...form.getInputProps('copies')} value={copies} />
        {PLACES[size] && (
          <DecimalInput
            label={t('labels.startAt')}
            description={t('labels.startAtHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            {...form.getInputProps('start_at')}
            value={form.values.start_at}
          />
        )}
        <Alert color="yellow">{t('labels.actualSize')}</Alert>
      </DialogForm>
    </Dialog>
  );
}
