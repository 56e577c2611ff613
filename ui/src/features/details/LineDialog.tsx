import { Alert, Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/InlineInput.css';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { etag } from '@/api/etag';
import {
  type DetailView,
  type SheetView,
  useMoveDetailsMutation,
  useReturnDetailMutation,
  useVoidDetailMutation,
} from '@/api/generated';
import type { Problem } from '@/api/problem';
import { DecimalInput, useDecimalRule } from '@/components/DecimalInput';
import { Dialog, DialogFooter } from '@/components/Dialog';
import { focusFirstError } from '@/components/focusFirstError';
import { fullName } from '@/components/fullName';
import { returnReasons } from '@/components/returnReasons';
import { SearchSelect } from '@/components/SearchSelect';
import { toast } from '@/components/toast';
import { usedAt } from '@/components/usedAt';
import { useSubmit } from '@/components/useSubmit';
import type { Decimal } from '@/i18n/decimal';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import classes from './LineDialog.module.css';
import { SheetNote, sheetName, useOpenSheets } from './SheetSelect';

/** What is put right about a line. */
export interface Gesture {
  kind: 'void' | 'move' | 'return';
  detail: DetailView;
}

interface Props {
  gesture: Gesture;
  sheet: SheetView;
  /** The lines that are shown, of which some may be moved together. */
  lines: DetailView[];
  onClose: () => void;
  onGesture: (gesture: Gesture) => void;
  onSaved: (detail: DetailView) => void;
  onGone: (ids: number[]) => void;
}

export default function LineDialog(props: Props) {
  const { kind } = props.gesture;
  if (kind === 'void') return <VoidDialog {...props} />;
  return kind === 'move' ? <MoveDialog {...props} /> : <ReturnDialog {...props} />;
}

const reasons: MessageId[] = ['reason.wrongPatient', 'reason.wrongProduct', 'reason.wrongQuantity'];

function VoidDialog({ gesture: { detail }, onClose, onGesture, onGone }: Props) {
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
          <Reasons onChoose={(reason) => form.setFieldValue('reason', reason)} />
          {form.values.reason === t('reason.wrongPatient') && (
            <Alert color="petrol" title={t('details.move.instead')}>
              <Button variant="default" onClick={() => onGesture({ kind: 'move', detail })}>
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

function MoveDialog({ gesture: { detail }, sheet, lines, onClose, onGone }: Props) {
  const t = useText();
  const format = useFormat();
  const { user } = useSession();
  const mayMoveAny = useCan('details.move_any');
  const [moveDetails] = useMoveDetailsMutation();
  const { submit, pending } = useSubmit();
  const [target, setTarget] = useState<SheetView | null>(null);
  const [asked, setAsked] = useState<string[]>([]);
  const form = useForm({
    initialValues: { to_sheet_id: null as number | null, detail_ids: [detail.id], reason: '' },
    validate: {
      to_sheet_id: (id) =>
        id === null ? t('form.required') : id === sheet.id ? t('details.move.same') : undefined,
      reason: isNotEmpty(t('form.required')),
    },
  });
  const { detail_ids } = form.values;
  const others = lines.filter(({ id, user_id }) => id !== detail.id && (mayMoveAny || user_id === user?.id));
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
      <form noValidate onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}>
        <Stack gap="md">
          <SearchSelect<SheetView>
            label={t('details.move.to')}
            placeholder={t('details.sheetPlaceholder')}
            required
            data-autofocus
            {...form.getInputProps('to_sheet_id')}
            onChange={(id, chosen) => {
              setTarget(chosen);
              setAsked([]);
              form.setFieldValue('to_sheet_id', id);
            }}
            useFound={useOpenSheets}
            nameOf={sheetName}
            noteOf={(one) => <SheetNote sheet={one} />}
          />
          {target && (
            <Text className={classes.move}>
              {t('details.move.what', {
                count: detail_ids.length,
                from: fullName(sheet.patient),
                to: sheetName(target),
              })}{' '}
              <b>{[target.room.name, format.day(target.admission_date)].join(' · ')}</b>
            </Text>
          )}
          <fieldset className={classes.lines}>
            <legend>{t('details.move.lines')}</legend>
            {[detail, ...others].map((one) => (
              <Checkbox
                key={one.id}
                label={`${format.quantity(one.quantity)} × ${one.product.name} · ${format.moment(usedAt(one))}`}
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
          <Reasons onChoose={(reason) => form.setFieldValue('reason', reason)} />
        </Stack>
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={pending} disabled={detail_ids.length === 0}>
            {t(asked.length > 0 ? 'details.move.anyway' : 'details.move.action', {
              count: detail_ids.length,
            })}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

type CameBack = keyof typeof returnReasons;

function ReturnDialog({ gesture: { detail }, onClose, onSaved }: Props) {
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

/** What people mostly say, a touch away. */
function Reasons({ onChoose }: { onChoose: (reason: string) => void }) {
  const t = useText();
  return (
    <Group gap="xs">
      {reasons.map((reason) => (
        <Button key={reason} variant="default" size="compact-md" onClick={() => onChoose(t(reason))}>
          {t(reason)}
        </Button>
      ))}
    </Group>
  );
}

/** Somebody else took the line back a moment before. */
const goneFor =
  (t: ReturnType<typeof useText>) =>
  ({ status }: Problem) => {
    if (status === 404) toast.error(t('details.gone'));
    return status === 404;
  };
