import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { etag } from '@/api/etag';
import { useReturnDetailMutation } from '@/api/generated';
import { DecimalInput, useDecimalRule } from '@/components/DecimalInput';
import { Dialog, DialogFooter } from '@/components/Dialog';
import { focusFirstError } from '@/components/focusFirstError';
import { PatientBand } from '@/components/PatientBand';
import { returnReasons } from '@/components/returnReasons';
import { useSubmit } from '@/components/useSubmit';
import type { Decimal } from '@/i18n/decimal';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { goneFor, type LineDialogProps } from './lineAction';

type CameBack = keyof typeof returnReasons;

/** Some of a line came back unused. */
export default function ReturnDialog({ action: { detail }, sheet, onClose, onSaved }: LineDialogProps) {
  const t = useText();
  const format = useFormat();
  const [returnDetail] = useReturnDetailMutation();
  const { submit, pending } = useSubmit();
  const isNumber = useDecimalRule();
  const [asksTotal, setAsksTotal] = useState(false);
  const form = useForm({
    initialValues: {
      // Empty: what is filled in already would be taken for what came back.
      quantity: null as Decimal,
      reason: '' as CameBack | '',
      note: '',
      total: null as Decimal,
    },
    validate: {
      quantity: isNumber,
      reason: isNotEmpty(t('form.required')),
      total: (total) => (total === null ? null : isNumber(total)),
    },
  });

  async function save({ quantity, reason, note, total }: typeof form.values) {
    const returnDraft = {
      quantity: quantity as number,
      reason,
      ...(note && { note }),
      ...(typeof total === 'number' && { total }),
    };
    const done = await submit(
      (key) =>
        returnDetail({ detailId: detail.id, 'If-Match': etag(detail), 'Idempotency-Key': key, returnDraft }),
      {
        form,
        success: 'details.return.done',
        onProblem: (problem) => {
          if (problem.messages.some(({ field }) => field === 'total')) setAsksTotal(true);
          return goneFor(t)(problem);
        },
      },
    );
    if (done.ok) onSaved(done.data);
  }

  return (
    <Dialog opened onClose={onClose} title={t('details.return.question')}>
      <form noValidate onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}>
        <Stack gap="md">
          <PatientBand sheet={sheet} />
          <Text>{detail.product.name}</Text>
          <DecimalInput
            label={t('details.return.quantity')}
            description={t('details.return.of', { quantity: format.quantity(detail.quantity) })}
            required
            data-autofocus
            {...form.getInputProps('quantity')}
            value={form.values.quantity}
          />
          <div>
            <Text id="came-back" fw={500} mb={4}>
              {t('reason.label')}
            </Text>
            <Group gap="xs" role="group" aria-labelledby="came-back">
              {(Object.keys(returnReasons) as CameBack[]).map((reason) => (
                <Button
                  key={reason}
                  variant={form.values.reason === reason ? 'filled' : 'default'}
                  aria-pressed={form.values.reason === reason}
                  onClick={() => form.setFieldValue('reason', reason)}
                >
                  {t(returnReasons[reason])}
                </Button>
              ))}
            </Group>
            {form.errors.reason && (
              <Text c="red" size="sm" role="alert">
                {form.errors.reason}
              </Text>
            )}
          </div>
          {asksTotal && (
            <DecimalInput
              label={t('details.return.total')}
              required
              {...form.getInputProps('total')}
              value={form.values.total}
            />
          )}
          <Textarea
            label={t('details.return.note')}
            rows={2}
            maxLength={500}
            {...form.getInputProps('note')}
          />
        </Stack>
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('details.return.action')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
