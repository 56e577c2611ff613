import { useCallbackRef } from '@mantine/hooks';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { generatedApi, type NotedCodeView, type ProductLookupView, type ReadingView } from '@/api/generated';
import { isAborted } from '@/api/problem';
import { focusFirstError } from '@/components/focusFirstError';
import type { SearchControl } from '@/components/SearchSelect';
import { toast } from '@/components/toast';
import type { Decimal } from '@/i18n/decimal';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { type Asked, type DetailValues, NOTHING_SCANNED, type ScanNote } from '@/outbox/outboxSlice';
import {
  filledIn,
  isSymbol,
  isWords,
  NO_PACK,
  type Pack,
  type Part,
  readRows,
  tellsOfPack,
} from '@/scan/pack';
import type { KeyKind } from '@/scan/scanDetector';
import { useScanner } from '@/scan/useScanner';
import { useAppDispatch } from '@/storeHooks';
import { confirmAtField } from './confirmAtField';
import { isOtherUnit } from './parseQuantity';
import type { DetailsBatch } from './RecordBatchDrawer';
import { clearForNext, type DetailForm, valuesOf } from './useDetailForm';
import type { Suggestion } from './useProductSuggestions';
import { useQuantityWarning } from './useQuantityWarning';
import type { SheetOutbox } from './useSheetOutbox';

type Match = ProductLookupView['matches'][number];
/** What of it makes a line. */
type Begun = Pick<Match, 'units' | 'label'> & { product: NonNullable<DetailValues['product']> };

/** What a symbol holds and means. */
interface Scan {
  raw: string;
  reading: ReadingView | null;
  told: Pick<ScanNote, 'recall' | 'serialUsed'>;
}

/** What came of a scan, where that is not simply the line under the bar. */
export type Notice =
  | { kind: 'unknown'; code: string; raw: string; noted: NotedCodeView | null; readAs: string | null }
  | { kind: 'inactive'; product: string }
  | { kind: 'several' | 'keyboard'; scan: Scan; matches: Match[] }
  | { kind: 'bare'; scan: Scan }
  | { kind: 'differs'; scan: Scan; parts: Part[] }
  | { kind: 'dropped' | 'sameSerial' | 'sameProduct' | 'expiryUnreadable' | 'incomplete' };

/** Days before its expiry from which on that is pointed out. */
const SOON = 30;

const packOf = (reading: ReadingView | null): Pack =>
  reading ? { lot: reading.lot, expiry: reading.expiry, serial: reading.serial } : NO_PACK;

/** Whether a code that no product has can only come off a product. */
const isSymbolOfProduct = ({ reading, noted }: ProductLookupView) =>
  (reading?.gtin && !reading.bare) || noted?.system === 'hibc';

const shown = (raw: string) => raw.replace(/[^ -~\u00a0-\uffff]+/g, ' ').trim();

/**
 * The line in hand, from the product to what is recorded: chosen by hand, or scanned. Enter or the next scan records
 * it, never the time. Symbols are looked up at once and dealt with in their order, however slow an answer is.
 */
export function useRecordBar(form: DetailForm, outbox: SheetOutbox, onBatch: (batch: DetailsBatch) => void) {
  const t = useText();
  const format = useFormat();
  const dispatch = useAppDispatch();
  const search = useRef<SearchControl>(null);
  const formRef = useRef<HTMLFormElement>(null);
  const warningOf = useQuantityWarning(form.values.product_id);
  const [notice, setNotice] = useState<Notice | null>(null);
  /** The unknown code whose product is being said. */
  const [linking, setLinking] = useState<{ raw: string; unknown: NotedCodeView } | null>(null);
  /** How many symbols are looked up, and whether the server does not answer. */
  const [waiting, setWaiting] = useState(0);
  const [unanswered, setUnanswered] = useState(false);
  const queue = useRef<{ raw: string; answer: ReturnType<typeof lookUp>; isOld?: boolean }[]>([]);
  /** Whether what is dealt with is from before a reload: then nothing is recorded by itself. */
  const isOld = useRef(false);
  const running = useRef(false);
  /** The scanned line over which somebody began to type. */
  const left = useRef<DetailValues | null>(null);
  /** The quantity that nobody typed at its field: said by the text that was searched, or simply one. */
  const proposed = useRef<{ quantity: Decimal; said: boolean } | null>(null);
  /** How many times a product was taken. */
  const [taken, setTaken] = useState(0);
  const toQuantity = useEffectEvent(() => form.getInputNode('quantity')?.focus());
  // Once what is proposed stands there: focus selects it.
  useLayoutEffect(() => {
    if (taken > 0) toQuantity();
  }, [taken]);

  const searchField = () => form.getInputNode('product_id') as HTMLInputElement | null;
  /** The name that stands there is selected, once it does: what is typed takes its place. */
  function toBar() {
    searchField()?.focus();
    window.setTimeout(() => form.getValues().product && searchField()?.select());
  }

  function lookUp(query: { scan?: string; gtin?: string; code?: string } & { [part in Part]?: string }) {
    return dispatch(
      generatedApi.endpoints.lookUpProduct.initiate(query, { subscribe: false, forceRefetch: true }),
    );
  }

  // --- recording ---

  function questionsOf(values: DetailValues): Asked[] {
    const { product, scanned, expiry, lot, serial } = values;
    const found: Asked[] = [];
    if (expiry && expiry < format.dayOf(new Date()))
      found.push({ code: 'lot.expired', text: t('scan.expired', { day: format.day(expiry) }) });
    if (scanned?.recall)
      found.push({ code: 'lot.recalled', text: t('scan.recalled', { reason: scanned.recall }) });
    if (scanned?.serialUsed && serial)
      found.push({
        code: 'serial.used',
        text: t('scan.serialUsed', {
          sheet: scanned.serialUsed.consumption_sheet_id,
          at: format.moment(scanned.serialUsed.at),
        }),
      });
    if (product?.asks_lot && !lot) found.push({ code: 'lot.required', text: t('scan.lotMissing') });
    if (product?.asks_serial && !serial)
      found.push({ code: 'serial.required', text: t('scan.serialMissing') });
    const known = found.map(({ code }) => code);
    return [...found, ...values.asked.filter(({ code }) => !known.includes(code))];
  }

  const wasAsked = (values: DetailValues, questions: Asked[]) =>
    questions.every(({ code }) => values.asked.some((one) => one.code === code));

  const warningIn = ({ quantity, serial }: DetailValues) => {
    if (quantity === 0) return t('details.quantityIsZero');
    return serial && quantity !== 1 ? t('scan.serialIsOne') : warningOf(quantity as number);
  };

  function record() {
    const values = valuesOf(form);
    if (values.scanned?.unconfirmed) return focusPart('lot');
    // Where nothing is wrong nothing is said: the form is drawn anew once it is empty, and the line is kept meanwhile.
    if (!form.isValid()) return focusFirstError(form, form.validate().errors);
    if (values.serial && values.quantity !== 1) {
      form.setFieldError('quantity', t('scan.serialIsOne'));
      (form.getInputNode('quantity') as HTMLInputElement | null)?.select();
      return;
    }
    if (!confirmAtField(form, 'quantity', warningIn(values))) return;
    const questions = questionsOf(values);
    if (!wasAsked(values, questions)) {
      form.setFieldValue('asked', questions);
      const missing = questions.find(({ code }) => code === 'lot.required' || code === 'serial.required');
      if (missing) focusPart(missing.code === 'lot.required' ? 'lot' : 'serial');
      return;
    }
    outbox.add({ ...values, acknowledged: questions.map(({ code }) => code) });
    setNotice(null);
  }

  /** What is in hand makes room: recorded where nothing about it is open, beside the list otherwise. */
  function leave(values: DetailValues, isOpen = notice?.kind === 'differs' || notice?.kind === 'bare') {
    if (!values.product) return clearForNext(form);
    const questions = questionsOf(values);
    const { current } = proposed;
    const isAssumed = !values.scanned && current?.said === false && values.quantity === current.quantity;
    const isClear =
      !isAssumed &&
      !form.validate().hasErrors &&
      !warningIn(values) &&
      questions.length === 0 &&
      !values.scanned?.unconfirmed &&
      !isOpen;
    if (isClear && !isOld.current) outbox.add(values);
    else outbox.setAside({ ...values, asked: questions });
  }

  // --- scans ---

  const apply = useCallbackRef((raw: string, answer: ProductLookupView) => {
    const { matches, reading, recall, serial_used, noted, read_as } = answer;
    const scan = { raw, reading, told: { recall: recall?.reason ?? null, serialUsed: serial_used } };
    // What was left of a code that nobody knew belongs to no other product.
    if (notice?.kind === 'unknown' && !form.getValues().product) form.setValues(NOTHING_SCANNED);
    const now = valuesOf(form);
    const [match] = matches;
    search.current?.clear();
    const isPack = !match && reading !== null && !reading.gtin && tellsOfPack(packOf(reading));
    if (isPack && (now.product || !reading.bare)) return fillIn(now, scan);
    if (match?.product.active && matches.length === 1 && !read_as) return takeOne(match, scan);
    // It may be a wristband, another patient's too: what was in hand is not recorded by it.
    leave(now, !match && !isSymbolOfProduct(answer) ? true : undefined);
    if (!match) {
      const code = reading?.gtin ? `(01) ${reading.gtin}` : (noted?.code ?? shown(raw));
      setNotice({ kind: 'unknown', code, raw, noted, readAs: read_as ?? null });
      // For whichever product it turns out to be.
      if (reading && !reading.bare) form.setValues({ ...packOf(reading), gtin: reading.gtin });
    } else if (read_as) setNotice({ kind: 'keyboard', scan, matches });
    else if (matches.length === 1) setNotice({ kind: 'inactive', product: match.product.name });
    else setNotice({ kind: 'several', scan, matches });
    // What waits behind it takes its place at once.
    if (queue.current.length > 0)
      toast.error(t('scan.passedOver', { code: reading?.gtin ?? shown(raw) }), { autoClose: false });
    toBar();
  });

  /** The product that a symbol means: one more of it, another one, or more that is known of it. */
  function takeOne(match: Match, scan: Scan) {
    const now = valuesOf(form);
    const read = packOf(scan.reading);
    if (now.product && now.product.id !== match.product.id) {
      leave(now);
      return begin(match, scan, NO_PACK);
    }
    const { pack, filled, differs } = filledIn(now, read);
    if (!now.product) return begin(match, scan, differs.length > 0 ? NO_PACK : now);
    const isUnit = Boolean(read.serial) && !now.serial && now.quantity !== 1 && now.quantity !== 0;
    if (differs.length > 0 || isUnit) {
      // The same product, out of another pack.
      leave(now);
      return begin(match, scan, NO_PACK);
    }
    setNotice(null);
    const first = quantityOf(match, scan);
    if (!now.scanned) form.setValues({ quantity: now.quantity === 0 ? first : now.quantity, asked: [] });
    else if (read.serial && read.serial === now.serial && !filled) setNotice({ kind: 'sameSerial' });
    else if (!filled && scan.raw === now.scanned.raw && first !== null && typeof now.quantity === 'number')
      form.setValues({ quantity: now.quantity + 1 });
    else if (!filled) setNotice({ kind: 'sameProduct' });
    const gtin = now.gtin ?? scan.reading?.gtin ?? null;
    form.setValues({
      ...pack,
      gtin,
      ...(filled && { asked: [] }),
      scanned: noteOf(match, scan, now.scanned),
    });
    afterScan(scan);
  }

  function begin(match: Begun, scan: Scan, loose: Pack) {
    const { product } = match;
    const { pack } = filledIn(packOf(scan.reading), loose);
    setNotice(null);
    proposed.current = null;
    form.setValues({
      ...NOTHING_SCANNED,
      product_id: product.id,
      product,
      quantity: quantityOf(match, scan),
      ...pack,
      gtin: scan.reading?.gtin ?? null,
      scanned: noteOf(match, scan, null),
    });
    form.clearErrors();
    afterScan(scan);
  }

  /** A symbol of the label that names no product. */
  function fillIn(now: DetailValues, scan: Scan, isConfirmed = false) {
    const read = packOf(scan.reading);
    if (scan.reading?.bare && !isConfirmed) {
      setNotice({ kind: 'bare', scan });
      return toBar();
    }
    const { pack, differs } = filledIn(now, read);
    if (now.product && differs.length > 0) {
      setNotice({ kind: 'differs', scan, parts: differs });
      return toBar();
    }
    setNotice(null);
    const unconfirmed = scan.reading?.separator_lost ?? false;
    const scanned = now.scanned ?? { ...noteOf(null, scan, null), raw: '' };
    form.setValues({
      ...(differs.length > 0 ? read : pack),
      asked: [],
      scanned: { ...scanned, unconfirmed: scanned.unconfirmed || unconfirmed },
      ...(now.product && now.quantity === 0 && { quantity: 1 }),
    });
    afterScan(scan);
  }

  /** Where the line says more of the pack than this symbol did, the server is asked again. */
  function afterScan({ reading }: Scan) {
    if (reading?.expiry_unreadable) setNotice({ kind: 'expiryUnreadable' });
    else if (reading?.incomplete) setNotice({ kind: 'incomplete' });
    const now = valuesOf(form);
    const read = packOf(reading);
    const isWhole = now.lot === read.lot && now.serial === read.serial && (!reading || reading.gtin);
    if (!isWhole) recheck();
    if (now.scanned?.unconfirmed) focusPart('lot');
    else toBar();
  }

  const noteOf = (match: Begun | null, { raw, reading, told }: Scan, before: ScanNote | null): ScanNote => {
    const units = (match?.units ?? 1) * (reading?.count ?? 1);
    const isMixed = reading?.separator_lost === true && tellsOfPack({ ...packOf(reading), expiry: null });
    return {
      raw,
      units: units === 1 ? null : units,
      label: match?.label ?? null,
      unconfirmed: (before?.unconfirmed ?? false) || isMixed,
      recall: told.recall ?? before?.recall ?? null,
      serialUsed: told.serialUsed ?? before?.serialUsed ?? null,
    };
  };

  /** How much one symbol stands for; null where that must be said: a box, or so many in it. */
  const quantityOf = (match: Begun, { reading }: Scan) =>
    match.units === 1 && reading?.count == null ? 1 : null;

  /** What the server knows of the pack as the line tells of it now. It decides again when it is recorded. */
  async function recheck() {
    const { product, gtin, lot, expiry, serial } = valuesOf(form);
    const code = gtin ? { gtin } : product?.code ? { code: product.code } : null;
    if (!product || !code) return;
    const { data } = await lookUp({
      ...code,
      lot: lot ?? undefined,
      expiry: expiry ?? undefined,
      serial: serial ?? undefined,
    });
    const now = valuesOf(form);
    const isSame = now.product_id === product.id && now.lot === lot && now.serial === serial;
    if (!data || !isSame || !data.matches.some((one) => one.product.id === product.id)) return;
    const told = { recall: data.recall?.reason ?? null, serialUsed: data.serial_used };
    const scanned = now.scanned ?? noteOf(null, { raw: '', reading: null, told }, null);
    if (scanned.recall === told.recall && scanned.serialUsed === told.serialUsed && now.scanned) return;
    if (now.scanned || told.recall || told.serialUsed) form.setValues({ scanned: { ...scanned, ...told } });
  }

  /** One after the other, each when the one before it is dealt with and nobody is in the midst of a scan. */
  async function run() {
    if (running.current) return;
    running.current = true;
    let wasOld = false;
    for (;;) {
      const [first] = queue.current;
      if (!first) break;
      const { data, error } = await first.answer;
      await decided();
      if (queue.current[0] !== first) continue;
      if (!data) {
        // With the session: they are kept, and looked up when the person is back.
        if (isAborted(error)) queue.current = [];
        setUnanswered(queue.current.length > 0);
        break;
      }
      queue.current.shift();
      // Nor is what was in hand for no moment, before a scan that waited behind it.
      isOld.current = first.isOld === true || wasOld;
      wasOld = first.isOld === true;
      flushSync(() => apply(first.raw, data));
      isOld.current = false;
      keep();
    }
    setWaiting(queue.current.length);
    running.current = false;
  }

  const keep = () => outbox.keepScans(queue.current.map(({ raw }) => raw));

  const scan = useCallbackRef((raw: string) => {
    queue.current.push({ raw, answer: lookUp({ scan: raw }) });
    keep();
    setWaiting(queue.current.length);
    if (!unanswered) run();
  });

  const retry = useCallbackRef(() => {
    if (!unanswered) return;
    setUnanswered(false);
    for (const one of queue.current) one.answer = lookUp({ scan: one.raw });
    run();
  });

  /** What was scanned before a reload and not answered is looked up again, before what comes now. */
  const recall = useEffectEvent(() => {
    const left = outbox.scansLeft();
    if (left.length === 0 || queue.current.length > 0) return;
    queue.current = left.map((raw) => ({ raw, answer: lookUp({ scan: raw }), isOld: true }));
    setWaiting(left.length);
    run();
  });
  useEffect(() => recall(), []);
  useEffect(() => {
    if (!unanswered) return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [unanswered, retry]);

  // --- keys ---

  /** The line that a scan began: Enter in the bar records it, digits there are how much of it. */
  const isScanned = () => {
    const { product, scanned } = form.getValues();
    return product !== null && scanned !== null;
  };

  const decided = useScanner({
    form: formRef,
    remember() {
      const values = valuesOf(form);
      return () => {
        left.current = null;
        form.setValues(values);
        search.current?.clear();
      };
    },
    onScan(raw) {
      if (!isWords(raw)) {
        toBar();
        scan(raw);
        return;
      }
      const now = valuesOf(form);
      typedOver(now.scanned && now.product ? now : null);
      search.current?.search(raw);
    },
    onTyped() {
      const values = left.current;
      left.current = null;
      if (searchField()?.value && !form.getValues().product) typedOver(values);
    },
    onKey(event: KeyboardEvent, kind: KeyKind) {
      const field = searchField();
      if (!field || event.target !== field || event.ctrlKey || event.metaKey) return;
      if (event.key === 'Enter' && !form.getValues().product && isSymbol(field.value.trim())) {
        event.preventDefault();
        event.stopPropagation();
        const raw = field.value.trim();
        search.current?.clear();
        scan(raw);
      }
      if (field.getAttribute('aria-activedescendant')) return;
      if (event.key === 'Escape' && (isScanned() || notice)) {
        event.stopPropagation();
        return drop();
      }
      if (!isScanned()) return;
      if (event.key === 'Enter') {
        event.preventDefault();
        event.stopPropagation();
        flushSync(record);
      } else if (kind === 'first' && /^[\d.,]$/.test(event.key)) {
        // Before the browser writes it: it is written there.
        form.getInputNode('quantity')?.focus();
      }
    },
    onSeparator: (separator) => search.current?.append(separator),
  });

  /** Somebody searches by words: a scanned line waits beside the list, and what is looked up is not waited for. */
  function typedOver(values: DetailValues | null) {
    if (values) outbox.setAside({ ...values, asked: questionsOf(values) });
    if (queue.current.length === 0) return;
    queue.current = [];
    keep();
    setWaiting(0);
    setUnanswered(false);
    setNotice({ kind: 'dropped' });
  }

  function focusPart(part: Part) {
    // Once it is drawn.
    window.setTimeout(() => formRef.current?.querySelector<HTMLInputElement>(`[data-part=${part}]`)?.focus());
  }

  function drop() {
    setNotice(null);
    clearForNext(form);
  }

  /**
   * With how much of it, where the text said so, or one of it: selected, so that what is typed takes its place. Where it
   * is counted by something else than the text said, that is asked.
   */
  const choose = useCallbackRef((suggestion: Suggestion | null) => {
    const { product = null, quantity, unit, kit } = suggestion ?? {};
    if (kit) return onBatch({ kind: 'kit', kit });
    const now = valuesOf(form);
    // A scanned line that is typed over waits until it is known by whom; one that is rubbed out is gone.
    if (!product && now.product) {
      left.current = now.scanned && searchField()?.value ? now : null;
      if (now.scanned) form.setValues({ quantity: 0 });
    }
    const isAnother = now.product !== null && now.product.id !== product?.id;
    const isOther = isOtherUnit(unit, product?.unit ?? null);
    form.setValues({ product_id: product?.id ?? null, product, ...(isAnother && NOTHING_SCANNED) });
    form.clearFieldError('product_id');
    // What was proposed with another product does not go for this one.
    const isTyped = now.quantity !== 0 && now.quantity !== proposed.current?.quantity;
    proposed.current = null;
    if (quantity !== undefined || !isTyped) {
      const much = isOther ? null : (quantity ?? 1);
      if (product) proposed.current = { quantity: much, said: quantity !== undefined };
      form.setFieldValue('quantity', product ? much : 0);
    }
    if (!product) return;
    setNotice(null);
    if (tellsOfPack(form.getValues())) recheck();
    if (quantity !== undefined && isOther)
      form.setFieldError('quantity', t('details.countedBy', { unit: product.unit ?? '' }));
    setTaken((count) => count + 1);
  });

  const today = format.dayOf(new Date());
  const { expiry } = form.values;
  const isSoon = expiry !== null && expiry >= today && daysBetween(today, expiry) <= SOON;
  return {
    formRef,
    search,
    notice,
    waiting,
    unanswered,
    isSoon,
    /** Whether something about it is for the person to say or to see to, before anything else. */
    isAsking:
      ['unknown', 'inactive', 'several', 'keyboard', 'differs', 'bare'].includes(notice?.kind ?? '') ||
      questionsOf(form.values).length > 0 ||
      (form.values.product !== null && form.values.quantity === null) ||
      form.values.scanned?.unconfirmed === true,
    /** Whether there is more of it than the bar shows. */
    hasMore:
      notice !== null ||
      waiting > 0 ||
      form.values.scanned !== null ||
      form.values.asked.length > 0 ||
      form.values.product?.asks_lot === true ||
      form.values.product?.asks_serial === true ||
      tellsOfPack(form.values),
    questions: questionsOf(form.values),
    /** Whether Enter was pressed once already, and goes past them now. */
    asked: wasAsked(form.values, questionsOf(form.values)),
    record,
    choose,
    scan,
    retry,
    toBar,
    dismiss: () => setNotice(null),
    linking,
    /** Whoever keeps the catalogue says whose code it is; then it is scanned again, as it were. */
    link: (raw: string, unknown: NotedCodeView) => setLinking({ raw, unknown }),
    // The dialog is gone before the bar has the focus again.
    unlink: () => flushSync(() => setLinking(null)),
    linked: () => linking && scan(linking.raw),
    /** The digits that were scanned do tell lot, expiry or serial number of the line in hand. */
    takeBare: (scanned: Scan) => fillIn(valuesOf(form), scanned, true),
    /** One of the products that a code may mean. */
    takeMatch: (match: Match, scanned: Scan) => takeOne(match, scanned),
    /** What another symbol says of the lot is true of this line. */
    correctBy({ reading }: Scan) {
      const read = packOf(reading);
      const now = valuesOf(form);
      setNotice(null);
      form.setValues({
        lot: read.lot ?? now.lot,
        expiry: read.expiry ?? now.expiry,
        serial: read.serial ?? now.serial,
        asked: [],
      });
      recheck();
      toBar();
    },
    /** It is of another pack of the same product. */
    beginAnother(scanned: Scan) {
      const values = valuesOf(form);
      const { product } = values;
      if (!product) return;
      leave(values, false);
      begin({ product, units: 1, label: null }, scanned, NO_PACK);
    },
    /** Corrected by hand; null empties it. What was asked about the pack is asked anew. */
    correct(part: Part, value: string | null) {
      if (valuesOf(form)[part] === value) return;
      form.setValues({ [part]: value, asked: [] });
      recheck();
    },
    confirm() {
      const { scanned } = form.getValues();
      if (scanned) form.setValues({ scanned: { ...scanned, unconfirmed: false } });
    },
    setQuantity(quantity: number) {
      form.setFieldValue('quantity', quantity);
      form.clearFieldError('quantity');
      toBar();
    },
    /** What was pasted into the bar; true where it is dealt with. */
    paste(text: string) {
      const raw = text.replace(/[\r\n\t]+$/, '');
      const rows = readRows(raw);
      if (rows) {
        onBatch({ kind: 'rows', rows });
        return true;
      }
      if (!isSymbol(raw.trim())) return false;
      scan(raw);
      return true;
    },
  };
}

export type RecordBarState = ReturnType<typeof useRecordBar>;

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
