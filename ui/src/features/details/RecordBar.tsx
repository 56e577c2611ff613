import { Button, Text } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { type FormEvent, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { ProductView, SheetView } from '@/api/generated';
import { askOnce } from '@/components/askOnce';
import { DecimalInput } from '@/components/DecimalInput';
import { focusFirstError } from '@/components/focusFirstError';
import { isCodeOf, PRODUCT_WAIT, ProductNote } from '@/components/productSearch';
import { type Scanned, SearchSelect } from '@/components/SearchSelect';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { DetailValues } from '@/outbox/outbox';
import { isOtherUnit } from '@/scan/amount';
import { useCan } from '@/session/useCan';
import { lineTotal } from './lineTotal';
import classes from './RecordBar.module.css';
import { RecordContext } from './RecordContext';
import { type DetailForm, valuesOf } from './useDetailForm';
import { type Offer, offerOf, useOffers } from './useOffers';
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
 * Search, Enter, quantity, Enter, or the quantity with what is searched: then it is ready for the next product. Enter records from the quantity alone, and a
 * quantity of 0, or one that is far above the usual, only when it is pressed again.
 */
export function RecordBar({ sheet, form, onAdd, scanned, onScan, usual }: Props) {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const { product, quantity } = form.values;
  const doubtOf = useQuantityDoubt(form.values.product_id);

  const offered = useMemo(() => usual?.map(offerOf), [usual]);
  const fromText = useRef(false);

  /** With how much of it, where the text said so; where it is counted by something else, that is asked. */
  function choose(offer: Offer | null) {
    const { product = null, quantity, unit } = offer ?? {};
    const isOther = isOtherUnit(unit, product?.unit ?? null);
    form.setValues({ product_id: product?.id ?? null, product });
    form.clearFieldError('product_id');
    // What was said of another product does not go for this one.
    if (quantity === undefined && fromText.current) form.setFieldValue('quantity', 0);
    fromText.current = quantity !== undefined;
    if (!product) return;
    if (quantity !== undefined) {
      flushSync(() => form.setFieldValue('quantity', isOther ? null : quantity));
      if (isOther) form.setFieldError('quantity', t('details.countedBy', { unit: product.unit ?? '' }));
    }
    form.getInputNode('quantity')?.focus();
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
      <SearchSelect<Offer>
        className={classes.product}
        aria-label={t('details.product')}
        placeholder={t('details.barPlaceholder')}
        data-shortcut="search"
        required
        rightSection={
          <kbd className={classes.key} aria-hidden>
            /
          </kbd>
        }
        autoFocus={hasKeyboard()}
        {...form.getInputProps('product_id')}
        valueName={product?.name}
        useFound={useOffers}
        nameOf={({ product: { name } }) => name}
        leadOf={({ quantity }) =>
          quantity !== undefined && `${typeof quantity === 'number' ? format.quantity(quantity) : quantity} ×`
        }
        noteOf={(offer) => <ProductNote product={offer.product} />}
        isExact={(offer, text) => isCodeOf(offer.product, offer.words ?? text)}
        wait={PRODUCT_WAIT}
        usual={offered}
        scanned={scanned}
        onChange={(_, offer) => choose(offer)}
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
