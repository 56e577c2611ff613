import { useCallbackRef } from '@mantine/hooks';
import { type FormEvent, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import { serverNow } from '@/api/serverClock';
import { focusFirstError } from '@/components/focusFirstError';
import type { SearchControl } from '@/components/SearchSelect';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { type DetailValues, EMPTY_SCAN } from '@/outbox/outboxSlice';
import { isBarCode } from '@/scan/codes';
import { readRows } from '@/scan/pack';
import { confirmInField } from './confirmInField';
import { isOtherUnit, parseQuantity } from './parseQuantity';
import type { DetailsBatch } from './RecordBatchDrawer';
import { packOf, type RecorderEvent, type Scan } from './recorder';
import { type DetailForm, recorderOf, resetForm, valuesOf } from './useDetailForm';
import type { Suggestion } from './useProductSuggestions';
import { useTypedNames } from './useTypedNames';

interface Props {
  form: DetailForm;
  send: (event: RecorderEvent) => void;
  scan: (scanned: { code: string }) => void;
  onBatch: (batch: DetailsBatch) => void;
}

/** What is chosen in the bar by hand: a product, then how much of it, then Enter. */
export function useManualEntry({ form, send, scan, onBatch }: Props) {
  const t = useText();
  const search = useRef<SearchControl>(null);
  /** The quantity that was proposed, not typed: by the text that was searched, or simply one. */
  const proposed = useRef<{ quantity: Decimal; isSaid: boolean } | null>(null);
  /** What was in hand when the search field was typed into: a scan that follows does not lose it. */
  const discardOverwrittenScan = useRef<DetailValues | null>(null);
  /** The unknown code whose product is chosen by its name, with what it told of the pack. */
  const unknown = useRef<{ key: string; scan: Scan } | null>(null);
  const typedNames = useTypedNames();
  /** How often a product was chosen. */
  const [chosen, setChosen] = useState(0);
  const toQuantity = useEffectEvent(() => form.getInputNode('quantity')?.focus());
  // Once what is proposed stands there: focus selects it.
  useLayoutEffect(() => {
    if (chosen > 0) toQuantity();
  }, [chosen]);

  const focusSearch = useCallbackRef(() => form.getInputNode('product_id')?.focus());

  function record() {
    // Where nothing is wrong no error is set, so that the form is drawn once.
    if (!form.isValid()) return focusFirstError(form, form.validate().errors);
    const values = valuesOf(form);
    if (!confirmInField(form, 'quantity', values.quantity === 0 ? t('details.quantityIsZero') : null)) return;
    resetForm(form);
    proposed.current = null;
    typedNames.settle(values.product_id);
    send({ type: 'entered', key: newIdempotencyKey(), values });
    if (unknown.current) send({ type: 'removed', key: unknown.current.key });
    unknown.current = null;
  }

  /** Empty the bar for a scan, and return what was in hand. */
  function takeInHand() {
    const now = valuesOf(form);
    const values = now.product ? now : discardOverwrittenScan.current;
    const { current } = proposed;
    discardOverwrittenScan.current = null;
    proposed.current = null;
    typedNames.settle(now.product_id);
    search.current?.clear();
    if (!values?.product) return null;
    resetForm(form);
    const isProposed = current !== null && !current.isSaid && values.quantity === current.quantity;
    return { values, isAssumed: isProposed || values.quantity === 0 };
  }

  /**
   * With how much of it, where the text said so, or one of it: selected, so that what is typed takes its place. Where it
   * is counted by something else than the text said, that is asked.
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
    form.setValues({ product_id: product?.id ?? null, product, ...(isAnother && EMPTY_SCAN) });
    form.clearFieldError('product_id');
    // What was proposed with another product is not for this one.
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
    toBar: focusSearch,
    takeInHand,
    /** Remember a text for which no product is found. */
    miss: (text: string) => typedNames.miss(noteIn(text).words),
    /** Note what no product was found for. */
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
    /** Take what was pasted into the bar; true where it is dealt with. */
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

/** Read how many of what a text notes: `2 bisturí láser`. */
export function noteIn(text: string): { words: string; quantity: number } {
  const [first] = parseQuantity(text);
  const quantity = first?.quantity;
  return typeof quantity === 'number' && quantity > 0
    ? { words: first?.words ?? text, quantity }
    : { words: text.trim(), quantity: 1 };
}

export type ManualEntry = ReturnType<typeof useManualEntry>;
