import { Text } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import { etag } from '@/api/etag';
import { useMarkWasteMutation } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DecimalInput, useDecimalRule } from '@/shared/forms/DecimalInput';
import { DialogForm } from '@/shared/forms/DialogForm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { toast } from '@/shared/ui/toast';
import { SheetBand } from '../SheetBand';
import classes from './LineDialog.module.css';
import { type LineDialogProps, toastIfGone } from './lineAction';
import { ReasonChoice } from './ReasonChoice';
import { useUnmarkWaste } from './useUnmarkWaste';
import { type WasteReason, wasteReasons } from './wasteReasons';

const REASONS = Object.keys(wasteReasons) as WasteReason[];

/** Mark lines as thrown away: a part of one, or the whole of several. */
export default function WasteDialog({ action: { details }, sheet, onClose, onSaved }: LineDialogProps) {
  const t = useText();
  const format = useFormat();
  const [markWaste] = useMarkWasteMutation();
  const unmarkWaste = useUnmarkWaste(onSaved);
  const { submit, pending } = useSubmit();
  const isNumber = useDecimalRule();
  // Each request has the version of its line, so a line that was marked must not be sent again.
  const [left, setLeft] = useState(details);
  const [only] = details.length === 1 ? details : [];
  const form = useForm({
    initialValues: { quantity: (only?.quantity ?? null) as Decimal, use_reason: '' as WasteReason | '' },
    validate: {
      quantity: (quantity) => (only ? isNumber(quantity) : null),
      use_reason: isNotEmpty(t('form.required')),
    },
  });

  async function save({ quantity, use_reason }: typeof form.values) {
    const marked: typeof details = [];
    for (const detail of left) {
      const done = await submit(
        (key) =>
          markWaste({
            detailId: detail.id,
            'If-Match': etag(detail),
            'Idempotency-Key': key,
            wasteDraft: { quantity: only ? (quantity as number) : detail.quantity, use_reason },
          }),
        { form, onProblem: toastIfGone(t) },
      );
      if (!done.ok) {
        setLeft(left.filter(({ id }) => !marked.some((one) => one.id === id)));
        return;
      }
      const [first, part = first] = done.data.items;
      if (first) onSaved(first);
      if (part) marked.push(part);
    }
    toast.success(t('waste.done', { count: marked.length }), {
      action: {
        label: t('details.undo'),
        run: async () => {
          for (const detail of marked) await unmarkWaste(detail);
        },
      },
    });
    onClose();
  }

  // Physical keys: the numbers of a keypad belong to scanners.
  useHotkeys(
    REASONS.map((reason, place) => [
      `alt+Digit${place + 1}`,
      () => form.setFieldValue('use_reason', reason),
      { usePhysicalKeys: true },
    ]),
    [],
  );

  return (
    <Dialog opened onClose={onClose} title={t('waste.question')}>
      <DialogForm form={form} onSubmit={save} onCancel={onClose} action={t('waste.action')} pending={pending}>
        <SheetBand sheet={sheet} />
        {only ? (
          <div>
            <Text>{nameAndCode(only.product)}</Text>
            <DecimalInput
              label={t('waste.quantity')}
              description={t('details.return.of', { quantity: format.quantity(only.quantity) })}
              required
              data-autofocus
              {...form.getInputProps('quantity')}
              value={form.values.quantity}
            />
          </div>
        ) : (
          <ul className={classes.lines}>
            {details.map((detail) => (
              <li key={detail.id}>{`${format.quantity(detail.quantity)} ${nameAndCode(detail.product)}`}</li>
            ))}
          </ul>
        )}
        <ReasonChoice
          labels={wasteReasons}
          value={form.values.use_reason}
          onChange={(reason) => form.setFieldValue('use_reason', reason)}
          error={form.errors.use_reason}
          firstKey={1}
          takesFocus={!only}
        />
      </DialogForm>
    </Dialog>
  );
}
