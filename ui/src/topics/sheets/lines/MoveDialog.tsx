import { Checkbox, Textarea } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { type SheetView, useMoveDetailsMutation } from '@/api/generated';
import type { Problem } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { toast } from '@/shared/ui/toast';
import { OpenSheetSelect, sheetName } from '../OpenSheetSelect';
import { SheetBand } from '../SheetBand';
import classes from './LineDialog.module.css';
import type { LineDialogProps } from './lineAction';
import { ReasonButtons } from './ReasonButtons';

/** Move lines to the sheet of the patient who got them. */
export default function MoveDialog({ action: { details }, sheet, lines, onClose, onGone }: LineDialogProps) {
  const t = useText();
  const format = useFormat();
  const { user } = useSession();
  const mayMoveAny = useCan('details.move_any');
  const [moveDetails] = useMoveDetailsMutation();
  const { submit, pending } = useSubmit();
  const [target, setTarget] = useState<SheetView | null>(null);
  const [asked, setAsked] = useState<string[]>([]);
  const form = useForm({
    initialValues: {
      to_sheet_id: null as number | null,
      detail_ids: details.map(({ id }) => id),
      reason: '',
    },
    validate: {
      to_sheet_id: (id) =>
        id === null ? t('form.required') : id === sheet.id ? t('details.move.same') : undefined,
      reason: isNotEmpty(t('form.required')),
    },
  });
  const { detail_ids } = form.values;
  const others = lines.filter(
    (one) => !details.some(({ id }) => id === one.id) && (mayMoveAny || one.user_id === user?.id),
  );
  const tick = (id: number, on: boolean) =>
    form.setFieldValue('detail_ids', on ? [...detail_ids, id] : detail_ids.filter((one) => one !== id));

  function ask({ status, messages }: Problem) {
    const questions = messages.filter(({ acknowledgeable }) => acknowledgeable);
    if (status !== 422 || questions.length < messages.length) return false;
    setAsked(questions.flatMap(({ code }) => code ?? []));
    form.setFieldError('to_sheet_id', questions.map(({ text }) => text).join(' '));
    return true;
  }

  async function save({ to_sheet_id, ...draft }: typeof form.values) {
    const toSheetId = to_sheet_id as number;
    const moveDraft = { ...draft, to_sheet_id: toSheetId, ...(asked.length > 0 && { acknowledged: asked }) };
    const done = await submit(() => moveDetails({ sheetId: sheet.id, moveDraft }), { form, onProblem: ask });
    if (!done.ok) return;
    onGone(detail_ids);
    const back = { detail_ids, to_sheet_id: sheet.id, reason: t('details.undo'), acknowledged: asked };
    toast.success(
      t('details.moved', { count: detail_ids.length, patient: target ? sheetName(target) : '' }),
      {
        autoClose: 10_000,
        action: {
          label: t('details.undo'),
          run: () =>
            submit(() => moveDetails({ sheetId: toSheetId, moveDraft: back }), { success: 'details.undone' }),
        },
      },
    );
  }

  return (
    <Dialog opened onClose={onClose} size="lg" title={t('details.move.question')}>
      <DialogForm
        form={form}
        onSubmit={save}
        onCancel={onClose}
        action={t(asked.length > 0 ? 'details.move.anyway' : 'details.move.action', {
          count: detail_ids.length,
        })}
        pending={pending}
        disabled={detail_ids.length === 0}
      >
        <SheetBand sheet={sheet} />
        <OpenSheetSelect
          label={t('details.move.to')}
          required
          data-autofocus
          {...form.getInputProps('to_sheet_id')}
          onChange={(id, chosen) => {
            setTarget(chosen);
            setAsked([]);
            form.setFieldValue('to_sheet_id', id);
          }}
        />
        {target && <SheetBand sheet={target} />}
        <fieldset className={classes.lines}>
          <legend>{t('details.move.lines')}</legend>
          {[...details, ...others].map((one) => (
            <Checkbox
              key={one.id}
              label={`${format.counted(one.quantity, nameAndCode(one.product))} · ${format.moment(timeOfUse(one))}`}
              checked={detail_ids.includes(one.id)}
              onChange={({ currentTarget }) => tick(one.id, currentTarget.checked)}
            />
          ))}
        </fieldset>
        <Textarea
          label={t('reason.label')}
          required
          rows={2}
          maxLength={500}
          {...form.getInputProps('reason')}
        />
        <ReasonButtons onChoose={(reason) => form.setFieldValue('reason', reason)} />
      </DialogForm>
    </Dialog>
  );
}
