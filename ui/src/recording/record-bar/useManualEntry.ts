import { useCallbackRef } from '@mantine/hooks';
import { type FormEvent, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import { serverNow } from '@/api/serverClock';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { type DetailValues, EMPTY_SCAN } from '@/outbox/outboxSlice';
import { focusFirstError } from '@/shared/forms/focusFirstError';
import type { SearchControl } from '@/shared/forms/SearchSelect';
import { isBarCode } from '@/symbols/codes';
import { readRows } from '@/symbols/pack';
import type { DetailsBatch } from '../batch/items';
import type { Scan } from '../scanning/recorderState';
import { packOf } from '../scanning/scannedPack';
import type { RecorderControl } from '../scanning/useRecorder';
import { confirmInField } from './confirmInField';
import { isOtherUnit, parseQuantity } from './parseQuantity';
import type { Suggestion } from './suggestionOrder';
import { type DetailForm, recorderOf, resetForm, valuesOf } from './useDetailForm';
import { useTypedNames } from './useTypedNames';

interface Props {
  form: DetailForm;
  recorder: Pick<RecorderControl, 'send' | 'scan' | 'enter'>;
  onBatch: (batch: DetailsBatch) => void;
}

/**
 * Record by hand in the bar.
 *
 * The steps are to choose a product, then a quantity, then to press Enter.
 */
export function useManualEntry({ form, recorder: { send, scan, enter }, onBatch }: Props) {
  const t = useText();
  const search = useRef<SearchControl>(null);
  /** The quantity that was proposed, not typed: from the search text, or simply one. */
  const proposed = useRef<{ quantity: Decimal; isSaid: boolean } | null>(null);
  /** The draft that typing in the search field discarded; a scan that follows restores it. */
  const discardOverwrittenScan = useRef<DetailValues | null>(null);
  /** The unknown code whose product is being searched by name, with its pack data. */
  const unknown = useRef<{ key: string; scan: Scan } | null>(null);
  /** The lines whose Enter waits until it is known whether their quantity is a code. */
  const kept = useRef(new Set<DetailValues>());
  const typedNames = useTypedNames();
  /** Counts the chosen products, to move the focus after each. */
  const [chosen, setChosen] = useState(0);
  const toQuantity = useEffectEvent(() => form.getInputNode('quantity')?.focus());
  // After the proposed value is rendered, so that focus selects it.
  useLayoutEffect(() => {
    if (chosen > 0) toQuantity();
  }, [chosen]);

  const focusSearch = useCallbackRef(() => form.getInputNode('product_id')?.focus());

  function record() {
    // isValid() sets no errors, so a valid form is rendered only once.
    if (!form.isValid()) return focusFirstError(form, form.validate().errors);
    const values = valuesOf(form);
    if (!confirmInField(form, 'quantity', values.quantity === 0 ? t('details.quantityIsZero') : null)) return;
    resetForm(form);
    proposed.current = null;
    typedNames.settle(values.product_id);
    release(values);
    enter(values);
    if (unknown.current) send({ type: 'removed', key: unknown.current.key });
    unknown.current = null;
  }

  /** Keep a line no longer that is recorded otherwise. */
  function release(values: DetailValues) {
    for (const line of kept.current) if (isSame(line, values)) kept.current.delete(line);
  }

  /** See `ScanPage.keepLine`. */
  function keepLine() {
    const values = valuesOf(form);
    const { product, quantity } = values;
    if (!product || typeof quantity !== 'number' || quantity === 0) return undefined;
    kept.current.add(values);
    return () => {
      if (!kept.current.delete(values)) return true;
      if (isSame(valuesOf(form), values)) return false;
      // The user has gone on: nothing of this line stays for the next one.
      const overwritten = discardOverwrittenScan.current;
      if (overwritten && isSame(overwritten, values)) discardOverwrittenScan.current = null;
      if (form.getValues().quantity === quantity) form.setFieldValue('quantity', 0);
      enter(values);
      return true;
    };
  }

  /** Empty the bar for a scan, and return its draft. */
  function takeInHand() {
    const now = valuesOf(form);
    const values = now.product ? now : discardOverwrittenScan.current;
    const { current } = proposed;
    discardOverwrittenScan.current = null;
    proposed.current = null;
    typedNames.settle(now.product_id);
    search.current?.clear();
    if (!values?.product) return null;
    release(values);
    resetForm(form);
    const isProposed = current !== null && !current.isSaid && values.quantity === current.quantity;
    return { values, isAssumed: isProposed || values.quantity === 0 };
  }

  /**
   * Put a product into the bar, with the quantity in the search text or one.
   *
   * The quantity is selected, so that typing replaces it. If the text has a unit in which the product is not counted, the
   * user is asked.
   */
  const choose = useCallbackRef((suggestion: Suggestion | null) => {
    const { product = null, quantity, unit, kit } = suggestion ?? {};
    if (kit) {
      typedNames.settle(null);
      return onBatch({ kind: 'kit', kit });
    }
    const now = valuesOf(form);
    discardOverwrittenScan.current = !product && now.product ? now : null;
    const isAnother = now.product !== null && now.product.id !== product?.id;
    const isOther = isOtherUnit(unit, product?.unit ?? null);
    form.setValues({
      ...(isAnother && EMPTY_SCAN),
      product_id: product?.id ?? null,
      product,
      // A code that no product has could not have been scanned for this one.
      input_method: product && !unknown.current ? 'text' : null,
    });
    form.clearFieldError('product_id');
    // A quantity proposed for another product does not apply to this one.
    const isTyped = now.quantity !== 0 && now.quantity !== proposed.current?.quantity;
    if (product) proposed.current = null;
    if (quantity !== undefined || !isTyped) {
      const much = isOther ? null : (quantity ?? 1);
      if (product) proposed.current = { quantity: much, isSaid: quantity !== undefined };
      form.setFieldValue('quantity', product ? much : 0);
    }
    if (!product) return;
    const reading = unknown.current?.scan.reading;
    if (reading && !reading.bare) form.setValues({ ...packOf(reading), gtin: reading.gtin });
    if (quantity !== undefined && isOther)
      form.setFieldError('quantity', t('details.countedBy', { unit: product.unit ?? '' }));
    setChosen((count) => count + 1);
  });

  return {
    search,
    choose,
    /** Whether the quantity was not typed: the field is empty, and one is recorded. */
    isUnsaid: (quantity: Decimal) =>
      quantity === 0 || (quantity === proposed.current?.quantity && !proposed.current.isSaid),
    toBar: focusSearch,
    takeInHand,
    keepLine,
    /** Discard the line in hand. */
    clear() {
      kept.current.clear();
      resetForm(form);
    },
    /** Remember a text for which no product is found. */
    miss: (text: string) => typedNames.miss(noteIn(text).words),
    /** Note the text as an unlisted item. */
    note(text: string) {
      typedNames.settle(null);
      const { words, quantity } = noteIn(text);
      const recorder = recorderOf(form);
      const used_at = recorder.used_at ?? serverNow().toISOString();
      send({
        type: 'noted',
        key: newIdempotencyKey(),
        description: words,
        quantity,
        by: { ...recorder, used_at },
      });
      focusSearch();
    },
    chooseFor(key: string, scanned: Scan) {
      unknown.current = { key, scan: scanned };
      focusSearch();
    },
    submit(event: FormEvent) {
      event.preventDefault();
      record();
    },
    /** Handle text pasted into the bar; return true if it was codes or rows. */
    paste(text: string) {
      const raw = text.replace(/[\r\n\t]+$/, '');
      const rows = readRows(raw);
      if (rows) {
        onBatch({ kind: 'rows', rows });
        return true;
      }
      if (!isBarCode(raw.trim())) return false;
      scan({ code: raw });
      return true;
    },
  };
}

const isSame = (one: DetailValues, other: DetailValues) =>
  one.product_id === other.product_id && one.quantity === other.quantity;

/** Split a note into quantity and words: `2 bisturí láser`. */
export function noteIn(text: string): { words: string; quantity: number } {
  const [first] = parseQuantity(text);
  const quantity = first?.quantity;
  return typeof quantity === 'number' && quantity > 0
    ? { words: first?.words ?? text, quantity }
    : { words: text.trim(), quantity: 1 };
}

export type ManualEntry = ReturnType<typeof useManualEntry>;
