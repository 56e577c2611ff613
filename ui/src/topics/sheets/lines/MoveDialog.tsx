import { Checkbox, Textarea } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import {
  type DetailView,
  type SheetView,
  type UseReason,
  useMoveDetailsMutation,
  useReadAreaQuery,
} from '@/api/generated';
import { useLazyOpenAreaSheetQuery } from '@/api/lazy';
import type { Problem } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { ReasonButtons } from '@/shared/forms/ReasonButtons';
import { useSubmit } from '@/shared/forms/useSubmit';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { areaOf } from '@/shared/records/subject';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { toast } from '@/shared/ui/toast';
import { OpenSheetSelect, sheetName } from '../OpenSheetSelect';
import { SheetBand } from '../SheetBand';
import classes from './LineDialog.module.css';
import { type LineDialogProps, wrongReasons } from './lineAction';
import { AreaUse } from './ReasonChoice';

/** Move lines to the sheet of the patient who got them, or to the area that used them for none. */
export default function MoveDialog({ action: { details }, sheet, lines, onClose, onGone }: LineDialogProps) {
  const t = useText();
  const format = useFormat();
  const { user } = useSession();
  const mayMoveAny = useCan('details.move_any');
  const [moveDetails] = useMoveDetailsMutation();
  const { submit, pending } = useSubmit();
  const [openAreaSheet] = useLazyOpenAreaSheetQuery();
  const areaId = areaOf(sheet);
  const area = useReadAreaQuery({ areaId }, { skip: 'area' in sheet }).data;
  const [toArea, setToArea] = useState(false);
  const [target, setTarget] = useState<SheetView | null>(null);
  const [asked, setAsked] = useState<string[]>([]);
  const form = useForm({
    initialValues: {
      to_sheet_id: null as number | null,
      detail_ids: details.map(({ id }) => id),
      reason: '',
      use_reason: '' as UseReason | '',
    },
    validate: {
      use_reason: (chosen) => (toArea && !chosen ? t('form.required') : null),
      to_sheet_id: (id) =>
        toArea
          ? undefined
          : id === null
            ? t('form.required')
            : id === sheet.id
              ? t('details.move.same')
              : undefined,
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

  async function save({ to_sheet_id, use_reason, ...draft }: typeof form.values) {
    const page = toArea ? await submit(() => openAreaSheet({ areaId })) : undefined;
    if (page && !page.ok) return;
    const toSheetId = page ? page.data.id : (to_sheet_id as number);
    const moveDraft = {
      ...draft,
      to_sheet_id: toSheetId,
      use_reason: use_reason || undefined,
      ...(asked.length > 0 && { acknowledged: asked }),
    };
    const done = await submit(() => moveDetails({ sheetId: sheet.id, moveDraft }), { form, onProblem: ask });
    if (!done.ok) return;
    onGone(detail_ids);
    const moved = detail_ids.flatMap((id) => lines.find((one) => one.id === id) ?? []);
    const count = detail_ids.length;
    toast.success(
      toArea && area
        ? t('area.moved', { count, area: area.name })
        : t('details.moved', { count, patient: target ? sheetName(target) : '' }),
      {
        autoClose: 10_000,
        action: {
          label: t('details.undo'),
          run: () => moveBack(toSheetId, moved),
        },
      },
    );
  }

  /** Move lines back, on the page of an area those of each reason together. */
  async function moveBack(fromSheetId: number, moved: DetailView[]) {
    const reasons = new Set(moved.map(({ use_reason }) => ('area' in sheet && use_reason) || undefined));
    for (const use_reason of reasons) {
      const ids = moved.filter((one) => !use_reason || one.use_reason === use_reason).map(({ id }) => id);
      const moveDraft = {
        detail_ids: ids,
        to_sheet_id: sheet.id,
        reason: t('details.undo'),
        use_reason,
        acknowledged: asked,
      };
      const done = await submit(() => moveDetails({ sheetId: fromSheetId, moveDraft }), {
        success: 'details.undone',
      });
      if (!done.ok) return;
    }
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
            setToArea(false);
            setTarget(chosen);
            setAsked([]);
            form.setFieldValue('to_sheet_id', id);
          }}
        />
        {area && (
          <AreaUse
            area={area.name}
            isOn={toArea}
            onToggle={() => {
              setToArea(!toArea);
              setTarget(null);
              setAsked([]);
              form.setFieldValue('to_sheet_id', null);
              form.clearErrors();
            }}
            reason={form.values.use_reason}
            onReason={(chosen) => form.setFieldValue('use_reason', chosen)}
            error={form.errors.use_reason}
          />
        )}
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
        <ReasonButtons reasons={wrongReasons} onChoose={(reason) => form.setFieldValue('reason', reason)} />
      </DialogForm>
    </Dialog>
  );
}
