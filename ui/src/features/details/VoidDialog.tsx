import { Alert, Button, Stack, Text, Textarea } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { etag } from '@/api/etag';
import { useVoidDetailMutation } from '@/api/generated';
import { Dialog, DialogFooter } from '@/components/Dialog';
import { focusFirstError } from '@/components/focusFirstError';
import { PatientBand } from '@/components/PatientBand';
import { useSubmit } from '@/components/useSubmit';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { goneFor, type LineDialogProps } from './lineAction';
import { ReasonButtons } from './ReasonButtons';

/** A line is taken back, and stays with who, when and why. */
export default function VoidDialog({
  action: { detail },
  sheet,
  onClose,
  onAction,
  onGone,
}: LineDialogProps) {
  const t = useText();
  const format = useFormat();
  const [voidDetail] = useVoidDetailMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: isNotEmpty(t('form.required')) },
  });

  async function save(voidDraft: { reason: string }) {
    const done = await submit(
      () => voidDetail({ detailId: detail.id, 'If-Match': etag(detail), voidDraft }),
      { form, success: 'details.deleted', onProblem: goneFor(t) },
    );
    if (done.ok) onGone([detail.id]);
  }

  return (
    <Dialog opened onClose={onClose} title={t('details.delete.question')}>
      <form noValidate onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}>
        <Stack gap="md">
          <PatientBand sheet={sheet} />
          <Text>{`${format.quantity(detail.quantity)} × ${detail.product.name}`}</Text>
          <Textarea
            label={t('reason.label')}
            description={t('details.void.stays')}
            required
            rows={2}
            maxLength={500}
            data-autofocus
            {...form.getInputProps('reason')}
          />
          <ReasonButtons onChoose={(reason) => form.setFieldValue('reason', reason)} />
          {form.values.reason === t('reason.wrongPatient') && (
            <Alert color="petrol" title={t('details.move.instead')}>
              <Button variant="default" onClick={() => onAction({ kind: 'move', detail })}>
                {t('details.move')}
              </Button>
            </Alert>
          )}
        </Stack>
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" color="red" loading={pending}>
            {t('details.delete')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
