import { Alert, Button, Stack, Textarea } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { etag } from '@/api/etag';
import { useVoidDetailMutation } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { ReasonButtons } from '@/shared/forms/ReasonButtons';
import { useSubmit } from '@/shared/forms/useSubmit';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { toast } from '@/shared/ui/toast';
import { SheetBand } from '../SheetBand';
import classes from './LineDialog.module.css';
import { type LineDialogProps, toastIfGone, wrongReasons } from './lineAction';

/**
 * Void lines with a reason.
 *
 * Each stays in the history with user, time and reason.
 */
export default function VoidDialog({
  action: { details },
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
    const gone: number[] = [];
    for (const detail of details) {
      const done = await submit(
        () => voidDetail({ detailId: detail.id, 'If-Match': etag(detail), voidDraft }),
        { form, onProblem: toastIfGone(t) },
      );
      // The remaining lines stay marked, and the error of this one is shown.
      if (!done.ok) break;
      gone.push(detail.id);
    }
    if (gone.length === 0) return;
    toast.success(gone.length > 1 ? t('details.deletedSome', { count: gone.length }) : t('details.deleted'));
    onGone(gone);
  }

  return (
    <Dialog opened onClose={onClose} title={t('details.delete.question')}>
      <DialogForm
        form={form}
        onSubmit={save}
        onCancel={onClose}
        action={t('details.delete')}
        pending={pending}
        danger
      >
        <SheetBand sheet={sheet} />
        <Stack component="ul" className={classes.lines} gap="xs">
          {details.map(({ id, quantity, product }) => (
            <li key={id}>{format.counted(quantity, nameAndCode(product))}</li>
          ))}
        </Stack>
        <Textarea
          label={t('reason.label')}
          description={t('details.void.stays')}
          required
          rows={2}
          maxLength={500}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <ReasonButtons reasons={wrongReasons} onChoose={(reason) => form.setFieldValue('reason', reason)} />
        {form.values.reason === t('reason.wrongPatient') && (
          <Alert color="petrol" title={t('details.move.instead')}>
            <Button variant="default" onClick={() => onAction({ kind: 'move', details })}>
              {t('details.move')}
            </Button>
          </Alert>
        )}
      </DialogForm>
    </Dialog>
  );
}
