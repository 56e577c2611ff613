import { Button, Text, Textarea } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { etag } from '@/api/etag';
import { useReturnDetailMutation } from '@/api/generated';
import type { Problem } from '@/api/problem';
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
import { returnReasons } from './returnReasons';

type CameBack = keyof typeof returnReasons;

/** Return the unused parts of lines, all for the same reason. */
export default function ReturnDialog({ action: { details }, sheet, onClose, onSaved }: LineDialogProps) {
  const t = useText();
  const format = useFormat();
  const [returnDetail] = useReturnDetailMutation();
  const { submit, pending } = useSubmit();
  const isNumber = useDecimalRule();
  const [asksTotal, setAsksTotal] = useState(false);
  // Each request has the version of its line, so a line that was returned must not be sent again.
  const [left, setLeft] = useState(details);
  const isSeveral = details.length > 1;
  const form = useForm({
    initialValues: {
      // Starts empty: a prefilled number would be mistaken for the returned quantity.
      quantities: details.map(() => null as Decimal),
      reason: '' as CameBack | '',
      note: '',
      total: null as Decimal,
    },
    validate: (values) => ({
      ...Object.fromEntries(
        values.quantities.map((quantity, at) => [
          `quantities.${at}`,
          // If several lines are open, those without a number are not returned.
          isSeveral && quantity === null && values.quantities.some((one) => one !== null)
            ? null
            : isNumber(quantity),
        ]),
      ),
      reason: isNotEmpty(t('form.required'))(values.reason),
      total: values.total === null ? null : isNumber(values.total),
    }),
  });

  async function save({ quantities, reason, note, total }: typeof form.values) {
    const returned: typeof details = [];
    for (const detail of left) {
      const at = details.indexOf(detail);
      const quantity = quantities[at];
      if (typeof quantity !== 'number') continue;
      const returnDraft = {
        quantity,
        reason,
        ...(note && { note }),
        ...(typeof total === 'number' && { total }),
      };
      const done = await submit(
        (key) =>
          returnDetail({
            detailId: detail.id,
            'If-Match': etag(detail),
            'Idempotency-Key': key,
            returnDraft,
          }),
        { form, onProblem: (problem) => explainAt(at, problem) },
      );
      if (!done.ok) {
        setLeft(left.filter((one) => !returned.includes(one)));
        return;
      }
      returned.push(detail);
      onSaved(done.data);
    }
    toast.success(t('details.return.done'));
    onClose();
  }

  /** Show the error beside the line that it is about. */
  function explainAt(at: number, problem: Problem): boolean {
    if (toastIfGone(t)(problem)) return true;
    if (problem.status !== 422) return false;
    const asksForTotal = problem.messages.some(({ field }) => field === 'total');
    if (asksForTotal && !isSeveral) setAsksTotal(true);
    const about = problem.messages.filter(
      ({ field }) => field === 'quantity' || (isSeveral && field === 'total'),
    );
    if (about.length === 0) return false;
    form.setFieldError(`quantities.${at}`, about.map(({ text }) => text).join(' '));
    return about.length === problem.messages.length;
  }

  const amountProps = (at: number) => ({
    ...form.getInputProps(`quantities.${at}`),
    value: form.values.quantities[at] ?? null,
  });

  return (
    <Dialog opened onClose={onClose} title={t('details.return.question')}>
      <DialogForm
        form={form}
        onSubmit={save}
        onCancel={onClose}
        action={t('details.return.action')}
        pending={pending}
      >
        <SheetBand sheet={sheet} />
        {isSeveral ? (
          <>
            <ul className={classes.lines}>
              {details.map((detail, at) => (
                <li key={detail.id} className={classes.returned}>
                  <span>{`${nameAndCode(detail.product)} · ${t('details.return.of', { quantity: format.quantity(detail.quantity) })}`}</span>
                  <DecimalInput
                    aria-label={`${t('details.return.quantity')}: ${nameAndCode(detail.product)}`}
                    disabled={!left.includes(detail)}
                    data-autofocus={at === 0 || undefined}
                    {...amountProps(at)}
                  />
                </li>
              ))}
            </ul>
            <Button
              variant="subtle"
              onClick={() =>
                form.setFieldValue(
                  'quantities',
                  details.map(({ quantity }) => quantity),
                )
              }
            >
              {t('details.return.all')}
            </Button>
          </>
        ) : (
          details.map(({ id, product, quantity }) => (
            <div key={id}>
              <Text>{nameAndCode(product)}</Text>
              <DecimalInput
                label={t('details.return.quantity')}
                description={t('details.return.of', { quantity: format.quantity(quantity) })}
                required
                data-autofocus
                {...amountProps(0)}
              />
            </div>
          ))
        )}
        <ReasonChoice
          labels={returnReasons}
          value={form.values.reason}
          onChange={(reason) => form.setFieldValue('reason', reason)}
          error={form.errors.reason}
        />
        {asksTotal && (
          <DecimalInput
            label={t('details.return.total')}
            required
            {...form.getInputProps('total')}
            value={form.values.total}
          />
        )}
        <Textarea label={t('details.return.note')} rows={2} maxLength={500} {...form.getInputProps('note')} />
      </DialogForm>
    </Dialog>
  );
}
