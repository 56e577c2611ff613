import { Button, Text } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import type { FormEvent } from 'react';
import type { ProductView, SheetView } from '@/api/generated';
import { askOnce } from '@/components/askOnce';
import { DecimalInput } from '@/components/DecimalInput';
import { focusFirstError } from '@/components/focusFirstError';
import type { Scanned } from '@/components/SearchSelect';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { DetailValues } from '@/outbox/outbox';
import { useCan } from '@/session/useCan';
import { ProductSelect } from './DetailSelects';
import { lineTotal } from './lineTotal';
import classes from './RecordBar.module.css';
import { RecordContext } from './RecordContext';
import { type DetailForm, valuesOf } from './useDetailForm';
import { useQuantityDoubt } from './useQuantityDoubt';

/** Whoever comes with one can type at once; on a touch screen the one that pops up would cover half the page. */
const hasKeyboard = () => window.matchMedia('(hover: hover)').matches;

interface Props {
  sheet: SheetView;
  form: DetailForm;
  onAdd: (values: DetailValues) => void;
  /** What was scanned where a number belongs, and what takes it. */
  scanned: Scanned | null;
  onScan: (code: string) => void;
  /** What is likely to come next; undefined while that is looked for. */
  usual: ProductView[] | undefined;
}

/**
 * Search, Enter, quantity, Enter: then it is ready for the next product. Enter records from the quantity alone, and a
 * quantity of 0, or one that is far above the usual, only when it is pressed again.
 */
export function RecordBar({ sheet, form, onAdd, scanned, onScan, usual }: Props) {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
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
    <form
      className={classes.bar}
      noValidate
      aria-label={t('details.create')}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        record();
      }}
    >
      <ProductSelect
        form={form}
        className={classes.product}
        look={{
          label: undefined,
          'aria-label': t('details.product'),
          placeholder: t('details.barPlaceholder'),
          rightSection: (
            <kbd className={classes.key} aria-hidden>
              /
            </kbd>
          ),
        }}
        autoFocus={hasKeyboard()}
        usual={usual}
        scanned={scanned}
        onChange={choose}
      />
      <DecimalInput
        className={classes.quantity}
        aria-label={t('details.quantity')}
        required
        enterKeyHint="done"
        leftSection={
          <span className={classes.times} aria-hidden>
            ×
          </span>
        }
        leftSectionPointerEvents="none"
        {...form.getInputProps('quantity')}
        value={quantity}
        onScan={onScan}
      />
      <Button type="submit" className={classes.send} aria-label={t('details.add')}>
        <span className={classes.sendText}>{t('details.add')}</span>
        <IconCheck className={classes.sendSign} aria-hidden />
      </Button>
      <div className={classes.context}>
        <RecordContext sheet={sheet} form={form} />
        {seesPrices && product?.price !== undefined && typeof quantity !== 'string' && (
          <Text className={classes.preview}>
            <span className={classes.factors}>
              {format.quantity(quantity ?? 0)} × {format.money(product.price)} ={' '}
            </span>
            <b>{format.money(lineTotal(product.price, quantity ?? 0))}</b>
          </Text>
        )}
      </div>
    </form>
  );
}
