import { Button, Paper, Text, Title } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import type { FormEvent } from 'react';
import type { ProductView } from '@/api/generated';
import { askOnce } from '@/components/askOnce';
import { DecimalInput } from '@/components/DecimalInput';
import { focusFirstError } from '@/components/focusFirstError';
import type { Scanned } from '@/components/SearchSelect';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { DetailValues } from '@/outbox/outbox';
import { useCan } from '@/session/useCan';
import classes from './AddDetailForm.module.css';
import { AreaSelect, ProductSelect, StaffSelect } from './DetailSelects';
import { lineTotal } from './lineTotal';
import { UsualProducts } from './UsualProducts';
import { type DetailForm, valuesOf } from './useDetailForm';
import { useQuantityDoubt } from './useQuantityDoubt';

/** Whoever comes with one can type at once; on a touch screen the one that pops up would cover half the page. */
const hasKeyboard = () => window.matchMedia('(hover: hover)').matches;

interface Props {
  form: DetailForm;
  onAdd: (values: DetailValues) => void;
  /** What was scanned where a number belongs, and what takes it. */
  scanned: Scanned | null;
  onScan: (code: string) => void;
  /** What is likely to come next; undefined while that is looked for. */
  usual: ProductView[] | undefined;
  /** Takes back the latest step, if there is one. */
  onUndo?: () => void;
}

/**
 * Search, Enter, quantity, Enter: then it is ready for the next product. Enter records from the quantity alone, and a
 * quantity of 0, or one that is far above the usual, only when it is pressed again.
 */
export function AddDetailForm({ form, onAdd, scanned, onScan, usual, onUndo }: Props) {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const choosesStaff = useCan('details.record_for_any_staff');
  const { product, quantity } = form.values;
  const doubtOf = useQuantityDoubt(form.values.product_id);

  function choose(id: number | null, chosen: ProductView | null) {
    form.setValues({ product_id: id, product: chosen });
    form.clearFieldError('product_id');
    if (chosen) form.getInputNode('quantity')?.focus();
  }

  function record() {
    const values = valuesOf(form);
    const { hasErrors, errors } = form.validate();
    if (hasErrors) return focusFirstError(form, errors);
    const question = values.quantity === 0 ? t('details.quantityIsZero') : doubtOf(values.quantity as number);
    if (askOnce(form, 'quantity', question)) onAdd(values);
  }

  return (
    <Paper
      withBorder
      component="form"
      className={classes.form}
      noValidate
      aria-labelledby="add-detail"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        record();
      }}
    >
      <div className={classes.head}>
        <Title order={3} id="add-detail">
          {t('details.create')}
        </Title>
        {onUndo && (
          <Button variant="subtle" className={classes.undo} onClick={onUndo}>
            {t('details.undo')}
          </Button>
        )}
      </div>
      <UsualProducts products={usual} onChoose={(chosen) => choose(chosen.id, chosen)} />
      <ProductSelect
        form={form}
        className={classes.product}
        withAsterisk={false}
        autoFocus={hasKeyboard()}
        usual={usual}
        scanned={scanned}
        onChange={choose}
      />
      <DecimalInput
        className={classes.quantity}
        label={t('details.quantity')}
        required
        withAsterisk={false}
        enterKeyHint="done"
        {...form.getInputProps('quantity')}
        value={quantity}
        onScan={onScan}
      />
      <Button type="submit" className={classes.send} leftSection={<IconPlus size={20} aria-hidden />}>
        {t('details.add')}
      </Button>
      {seesPrices && (
        <Text className={classes.preview}>
          {product?.price !== undefined && typeof quantity !== 'string' && (
            <>
              <span className={classes.factors}>
                {format.quantity(quantity ?? 0)} × {format.money(product.price)}
              </span>{' '}
              = <b>{format.money(lineTotal(product.price, quantity ?? 0))}</b>
            </>
          )}
        </Text>
      )}
      {choosesStaff && <StaffSelect form={form} className={classes.staff} />}
      <AreaSelect form={form} className={classes.area} />
    </Paper>
  );
}
