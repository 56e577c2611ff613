import { ActionIcon, Anchor, NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, use, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { etag } from '@/api/etag';
import { type DetailView, useCorrectDetailMutation, useEditDetailMutation } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import type { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { DecimalInput, useDecimalRule } from '@/shared/forms/DecimalInput';
import { focusFirstError } from '@/shared/forms/focusFirstError';
import { useSubmit } from '@/shared/forms/useSubmit';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { toast } from '@/shared/ui/toast';
import { useReturnState } from '@/shared/ui/useReturnPath';
import { lineTotal } from '@/topics/sheets/lines/lineTotal';
import { useDetailRules } from '@/topics/sheets/lines/useDetailRules';
import { useServerQuestions } from '@/topics/sheets/lines/useServerQuestions';
import { AREA_REASONS, areaReasons } from '@/topics/sheets/lines/wasteReasons';
import { PracticeContext } from '../common/practiceContext';
import { Cell, ProductName, Row, Who } from './cells';
import classes from './DetailsTable.module.css';
import type { RowProps } from './LineRows';

interface Props {
  detail: DetailView;
  /** The row's index in the whole table, if only some rows are rendered. */
  place?: number;
  /** For a virtualized list: the row's index in it, and the ref that measures the row's height. */
  index?: number;
  row?: RowProps['ref'];
  format: ReturnType<typeof useFormat>;
  seesPrices: boolean;
  /** Whether an area used it: it is charged nothing, and has a reason. */
  ofArea: boolean;
  /** Called when editing ends, with the detail if it was saved. */
  onDone: (detail?: DetailView, corrected?: number) => void;
  /** Set to a function that reports unsaved edits. */
  unsaved: RefObject<() => boolean>;
}

/** Edit a row in place; what is shown is what will be saved. */
export function EditDetailRow(props: Props) {
  const { detail, place, index, row, format, seesPrices, ofArea, onDone, unsaved } = props;
  const t = useText();
  const practice = use(PracticeContext);
  const [editDetail] = useEditDetailMutation();
  const { submit, pending } = useSubmit();
  const decimal = useDecimalRule();
  const form = useForm({
    name: 'edit', // distinguishes its fields from those of the form above the list
    initialValues: {
      quantity: detail.quantity as Decimal,
      total: (detail.total ?? null) as Decimal,
      use_reason: detail.use_reason ?? undefined,
    },
    validate: { quantity: useDetailRules().quantity, total: seesPrices ? decimal : undefined },
  });
  const mayEdit = useCan('details.edit');
  const [correctDetail] = useCorrectDetailMutation();
  const questions = useServerQuestions(form);

  const { isDirty } = form;
  useEffect(() => {
    unsaved.current = () => isDirty();
    return () => {
      unsaved.current = () => false;
    };
  }, [unsaved, isDirty]);

  async function save() {
    const { hasErrors, errors } = form.validate();
    if (hasErrors) return focusFirstError(form, errors);
    const { quantity, total, use_reason } = form.getValues();
    if (!form.isDirty()) return onDone();
    if (!questions.confirmZero(detail.quantity)) return;
    if (practice) {
      practice.correct(detail, quantity as number);
      return onDone();
    }
    const acknowledged = questions.acknowledged();
    const version = { detailId: detail.id, 'If-Match': etag(detail) };
    const saved = await submit(
      (key) => {
        // Without the permission to edit, one step voids the line and records it again.
        if (!mayEdit)
          return correctDetail({
            ...version,
            'Idempotency-Key': key,
            correctionDraft: { quantity: quantity as number, acknowledged },
          });
        return editDetail({
          ...version,
          detailDraft: {
            product_id: detail.product_id,
            quantity: quantity as number,
            total: ofArea ? undefined : ((total as number | null) ?? undefined),
            use_reason,
            staff_id: detail.staff_id ?? undefined,
            area_id: detail.area_id ?? undefined,
            consumption_sheet_id: detail.consumption_sheet_id,
            acknowledged,
          },
        });
      },
      {
        success: 'details.updated',
        form,
        onProblem: (problem) => {
          const { status } = problem;
          if (questions.ask(problem)) return true;
          if (status !== 412 && status !== 404) return false;
          toast.error(t(status === 412 ? 'details.changed' : 'details.gone'));
          onDone();
          return true;
        },
      },
    );
    if (saved.ok) onDone(saved.data, detail.id);
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      // The row's edit button may have the focus at once: this Enter must not press it.
      event.preventDefault();
      save();
    } else if (event.key === 'Escape') onDone();
  }

  const here = useReturnState();
  const { product, staff, unit_price, unbilled } = detail;
  return (
    <Row
      className={`${classes.line} ${classes.editing}`}
      aria-label={t('details.edit')}
      aria-rowindex={place}
      data-index={index}
      ref={row}
    >
      <Cell className={classes.hour}>{format.time(timeOfUse(detail))}</Cell>
      <Cell className={classes.quantity}>
        <span className={classes.label} aria-hidden>
          {t('details.quantity')}
        </span>
        <DecimalInput
          aria-label={t('details.quantity')}
          autoFocus
          enterKeyHint="done"
          {...form.getInputProps('quantity')}
          value={form.values.quantity}
          onChange={(quantity) => {
            form.setFieldValue('quantity', quantity);
            if (unit_price !== undefined && typeof quantity === 'number')
              form.setFieldValue('total', lineTotal(unit_price, quantity, Boolean(unbilled)));
          }}
          onKeyDown={press}
        />
      </Cell>
      <Cell className={classes.product}>
        <ProductName product={product} />
        {mayEdit && ofArea && (
          <NativeSelect
            aria-label={t('area.reason')}
            data={AREA_REASONS.map((reason) => ({ value: reason, label: t(areaReasons[reason]) }))}
            {...form.getInputProps('use_reason')}
            onKeyDown={press}
          />
        )}
        {mayEdit && !practice && !ofArea && (
          <Anchor
            component={Link}
            to={`/consumption-sheet-details/${detail.id}/edit`}
            state={here}
            className={classes.editMore}
            size="sm"
          >
            {t('details.editMore')}
          </Anchor>
        )}
      </Cell>
      {seesPrices && (
        <Cell className={classes.price}>
          {!ofArea && (
            <span className={classes.label} aria-hidden>
              {t('sheets.total')}
            </span>
          )}
          {!ofArea && (
            <DecimalInput
              aria-label={t('sheets.total')}
              enterKeyHint="done"
              {...form.getInputProps('total')}
              value={form.values.total}
              onKeyDown={press}
            />
          )}
          {unit_price !== undefined && (
            <small>{t('details.each', { price: format.money(unit_price) })}</small>
          )}
        </Cell>
      )}
      <Cell className={classes.who}>{staff && <Who staff={staff} />}</Cell>
      <Cell className={classes.actions}>
        <ActionIcon
          variant="filled"
          color="petrol"
          onClick={save}
          loading={pending}
          aria-label={t('action.save')}
        >
          <IconCheck size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon onClick={() => onDone()} disabled={pending} aria-label={t('action.cancel')}>
          <IconX size={20} aria-hidden />
        </ActionIcon>
      </Cell>
    </Row>
  );
}
