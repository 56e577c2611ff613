import { Button, Checkbox, Drawer, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type FormEvent, lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  type DetailView,
  generatedApi,
  type KitView,
  useCreateKitMutation,
  useListMissedChargesQuery,
  useListRepeatableQuery,
  useListSheetsQuery,
} from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { type Message, toProblem } from '@/api/problem';
import { type Decimal, readDecimal } from '@/i18n/decimal';
import { caseFold } from '@/i18n/fold';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { type DetailValues, EMPTY_SCAN, type OutboxLine } from '@/outbox/outboxSlice';
import { useSession } from '@/session/session';
import { useReturnFocus } from '@/shared/dialogs/useReturnFocus';
import { DecimalInput, useDecimalRule } from '@/shared/forms/DecimalInput';
import { showProblem, useSubmit } from '@/shared/forms/useSubmit';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { type AppDispatch, useAppDispatch } from '@/state/storeHooks';
import type { Pack, PastedRow } from '@/symbols/pack';
import {
  IMPLANT_INCOMPLETE,
  LOT_RECALLED,
  needsReason,
  type Question,
  type Reasons,
} from '@/topics/sheets/lines/questions';
import { missingText, useReasons } from '@/topics/sheets/lines/useReasons';
import { noteWay } from '../common/waysDone';
import type { Recorder } from '../scanning/recorderState';
import classes from './RecordBatchDrawer.module.css';

// Without network nothing is asked.
const MissedCharges = lazy(() => import('../missed/MissedCharges').catch(() => ({ default: () => null })));

/** The source of several lines that are recorded together. */
export type DetailsBatch =
  | { kind: 'kit'; kit: KitView }
  /** The supplies of another day or sheet, to record again or to save as a kit. */
  | { kind: 'repeat'; asKit?: boolean }
  /** Marked lines of this sheet, to record again. */
  | { kind: 'again'; details: DetailView[] }
  /** Rows pasted from a spreadsheet. */
  | { kind: 'rows'; rows: PastedRow[] }
  /** Lines entered together that the server refused. */
  | { kind: 'entry'; line: OutboxLine };

type BatchProduct = {
  id: number;
  name: string;
  code: string | null;
  unit: string | null;
  active: boolean;
  implant?: boolean;
};

interface Item {
  product: BatchProduct;
  quantity: Decimal;
  ticked: boolean;
  /** How many lines the product had, if known. */
  times?: number;
  /** The pack data of a refused entry, or of an implant. */
  pack?: Pack & { gtin: string | null };
  /** How the product of a refused entry was chosen. */
  inputMethod?: DetailValues['input_method'];
  /** The server's message, and the codes of acknowledged questions. */
  wrong?: string;
  asked?: string[];
  /** Whether the server asked for the lot and serial number of an implant. */
  isImplant?: boolean;
  /** The recall that the message is about. */
  recallId?: number;
}

interface Props {
  sheetId: number;
  patientId: number;
  batch: DetailsBatch;
  /** As whom and where the lines are recorded. */
  recorder: Recorder;
  onClose: () => void;
  /** Set recalled units aside; once for each key. */
  onSetAside: (values: DetailValues, key?: string) => void;
  onRecord: (items: DetailValues[], kitId?: number) => void;
}

/** How many of the patient's former sheets are offered. */
const FORMER_SHEETS = 5;
/** How many codes are looked up in parallel. */
const AT_ONCE = 4;

/**
 * Record several lines together, all or none.
 *
 * They are a kit's, those of another day, or pasted ones. The lines are sent exactly as displayed. The lines of
 * another day start unticked, so that unused supplies are not copied by habit.
 */
export default function RecordBatchDrawer(props: Props) {
  const { sheetId, patientId, batch, recorder, onClose, onSetAside, onRecord } = props;
  useReturnFocus(true);
  const t = useText();
  const format = useFormat();
  const decimal = useDecimalRule();
  const form = useForm<{ items: Item[] }>({
    initialValues: { items: itemsOf(batch, t('scan.again')) },
  });
  const userId = useSession().user?.id ?? 0;
  const { items } = form.values;
  const { unknown, looking } = usePasted(batch, (found) => form.setValues({ items: found }));
  const skip = batch.kind !== 'repeat';
  const onlyKit = batch.kind === 'repeat' && batch.asKit === true;
  const [from, setFrom] = useState<{ day?: string; fromSheet?: number }>({});
  const days = useListRepeatableQuery({ sheetId }, { skip }).data?.days ?? [];
  const before =
    useListSheetsQuery({ patientId, closed: true, limit: FORMER_SHEETS }, { skip }).data?.items ?? [];
  const repeatable = useListRepeatableQuery({ sheetId, ...from }, { skip, refetchOnMountOrArgChange: true });
  const { currentData } = repeatable;
  const fill = useEffectEvent((found: NonNullable<typeof currentData>) =>
    form.setValues({
      items: found.items.map(({ product, quantity, times }) => ({
        product,
        quantity,
        times,
        ticked: false,
      })),
    }),
  );
  useEffect(() => {
    if (currentData) fill(currentData);
  }, [currentData]);

  const missed = useListMissedChargesQuery(
    { sheetId, kitId: kitOf(batch) },
    { skip: batch.kind !== 'kit', refetchOnMountOrArgChange: true },
  ).currentData?.items;

  const list = useRef<HTMLDivElement>(null);
  const isThere = items.length > 0;
  useEffect(() => {
    // The first quantity to type; for another day, the first checkbox.
    const first = isThere && (batch.kind === 'repeat' ? 'input[type=checkbox]' : 'input[inputmode]');
    if (first) list.current?.querySelector<HTMLInputElement>(first)?.focus();
  }, [isThere, batch.kind]);

  const change = (place: number, news: Partial<Item>) =>
    form.setValues({
      items: items.map((item, at) => (at === place ? { ...item, wrong: undefined, ...news } : item)),
    });

  const askReasons = useReasons();
  const chosen = items.flatMap((item, place) =>
    item.ticked && item.quantity !== 0 ? [{ item, place }] : [],
  );

  async function record(event: FormEvent) {
    event.preventDefault();
    if (onlyKit) return;
    const wrong = new Map(chosen.map(({ item, place }) => [place, decimal(item.quantity)]));
    if ([...wrong.values()].some(Boolean)) {
      form.setValues({ items: items.map((item, at) => ({ ...item, wrong: wrong.get(at) ?? undefined })) });
      return;
    }
    if (chosen.length === 0) return;
    const reasons = await askReasons(chosen.flatMap(({ item }) => questionsOf(item)));
    if (!reasons) return;
    if (batch.kind === 'repeat') noteWay(userId, 'repeat');
    onRecord(
      chosen.map(({ item }) => valuesOf(item, reasons)),
      kitOf(batch),
    );
  }

  /** Return the questions about a line that need a reason. */
  function questionsOf(item: Item): Question[] {
    const recall = item.recallId ? [{ code: LOT_RECALLED, text: item.wrong ?? '' }] : [];
    const text = `${nameAndCode(item.product)}: ${missingText(t, item.pack ?? {})}`;
    return isUntraced(item) ? [...recall, { code: IMPLANT_INCOMPLETE, text }] : recall;
  }

  function valuesOf(item: Item, reasons: Reasons = {}): DetailValues {
    const { staff_id, staff, area_id } = recorder;
    return {
      ...EMPTY_SCAN,
      ...item.pack,
      product_id: item.product.id,
      product: { ...UNKNOWN, ...item.product },
      quantity: item.quantity,
      input_method: item.inputMethod ?? null,
      staff_id,
      staff,
      area_id,
      used_at: recorder.used_at,
      acknowledged: [...new Set([...(item.asked ?? []), ...(isUntraced(item) ? [IMPLANT_INCOMPLETE] : [])])],
      recall_reason: item.recallId ? (reasons.recall_reason ?? null) : null,
      implant_reason: isUntraced(item) ? (reasons.implant_reason ?? null) : null,
      asked: item.recallId ? [{ code: LOT_RECALLED, text: item.wrong ?? '', recallId: item.recallId }] : [],
      corrects: batch.kind === 'entry' ? batch.line.key : null,
    };
  }

  /** Set a recalled line aside: it is no longer recorded with the others. */
  function setAside(item: Item, place: number) {
    if (decimal(item.quantity)) return change(place, { wrong: decimal(item.quantity) ?? undefined });
    // The lines of a late entry stay in the outbox if the drawer is closed, and may be opened again.
    onSetAside(valuesOf(item), batch.kind === 'entry' ? `${batch.line.key}-aside-${place}` : undefined);
    change(place, { ticked: false, quantity: 0, recallId: undefined });
  }

  const title = batch.kind === 'kit' ? batch.kit.name : t(onlyKit ? 'batch.asKit' : TITLES[batch.kind]);
  const ofAll = batch.kind === 'entry' ? batch.line.messages.filter((one) => placeOf(one) === null) : [];
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={440}>
      <Drawer.Overlay />
      <Drawer.Content classNames={{ content: classes.content }} radius={0}>
        <Drawer.Body className={classes.body}>
          <div className={classes.head}>
            <Drawer.Title className={classes.title}>{title}</Drawer.Title>
            <Drawer.CloseButton aria-label={t('action.cancel')} />
          </div>
          <form className={classes.body} noValidate onSubmit={record}>
            <div className={classes.lines} ref={list}>
              {days.length + before.length > 0 && (
                <NativeSelect
                  label={t('batch.from')}
                  value={from.fromSheet ?? from.day ?? currentData?.day ?? ''}
                  onChange={({ currentTarget: { value } }) =>
                    setFrom(value.includes('-') ? { day: value } : { fromSheet: Number(value) })
                  }
                  data={[
                    ...(days.length === 0 ? [{ value: '', label: t('batch.choose'), disabled: true }] : []),
                    ...days.toReversed().map((value) => ({ value, label: format.day(value) })),
                    ...before.map(({ id, admission_date }) => ({
                      value: String(id),
                      label: t('batch.ofSheet', { id, day: format.day(admission_date) }),
                    })),
                  ]}
                />
              )}
              {batch.kind === 'repeat' && currentData?.items.length === 0 && <p>{t('batch.none')}</p>}
              {repeatable.isError && <p className={classes.wrong}>{t('error.unreachable')}</p>}
              {looking > 0 && <p role="status">{t('scan.looking', { waiting: looking })}</p>}
              {ofAll.map(({ text }) => (
                <p key={text} className={classes.wrong} role="alert">
                  {text}
                </p>
              ))}
              {items.map((item, place) => {
                const { product, quantity, ticked, times, wrong } = item;
                return (
                  <div
                    // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed, and a product may occur twice.
                    key={place}
                    className={classes.line}
                    data-inactive={!product.active || undefined}
                  >
                    <Checkbox
                      label={[
                        nameAndCode(product),
                        product.unit,
                        times && times > 1 && t('batch.times', { times }),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                      checked={ticked}
                      disabled={!product.active}
                      onChange={({ currentTarget: { checked } }) => change(place, { ticked: checked })}
                    />
                    <DecimalInput
                      aria-label={t('batch.quantityOf', { product: nameAndCode(product) })}
                      value={quantity}
                      disabled={!product.active}
                      enterKeyHint="done"
                      data-autofocus={place === 0 || undefined}
                      onChange={(value) => change(place, { quantity: value, ticked: value !== 0 })}
                    />
                    {wrong && (
                      <span className={classes.wrong} role="alert">
                        {wrong}
                      </span>
                    )}
                    {ticked && isImplant(item) && (
                      <PackOfImplant
                        name={nameAndCode(product)}
                        pack={item.pack ?? NO_IMPLANT_PACK}
                        onChange={(pack) => change(place, { pack, wrong })}
                      />
                    )}
                    {item.recallId && (
                      <Button
                        className={classes.setAside}
                        aria-label={t('scan.setAsideOf', { product: nameAndCode(product) })}
                        onClick={() => setAside(item, place)}
                      >
                        {t('scan.setAside')}
                      </Button>
                    )}
                  </div>
                );
              })}
              {missed && missed.length > 0 && (
                <Suspense>
                  <MissedCharges
                    sheetId={sheetId}
                    questions={missed}
                    withAlt
                    onUsed={(product) => form.insertListItem('items', { product, quantity: 1, ticked: true })}
                  />
                </Suspense>
              )}
              {unknown.length > 0 && (
                <p className={classes.wrong}>{t('batch.unknown', { codes: unknown.join(', ') })}</p>
              )}
            </div>
            <div className={classes.foot}>
              <SaveAsKit
                chosen={chosen.map(({ item }) => item)}
                offered={batch.kind !== 'kit' && batch.kind !== 'entry'}
                onSaved={onlyKit ? onClose : undefined}
              />
              {!onlyKit && (
                <Button type="submit" disabled={chosen.length === 0}>
                  {t('batch.record', { count: chosen.length })}
                </Button>
              )}
            </div>
          </form>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

interface PackProps {
  name: string;
  pack: NonNullable<Item['pack']>;
  onChange: (pack: NonNullable<Item['pack']>) => void;
}

/** The fields for lot and serial number of an implant. */
function PackOfImplant({ name, pack, onChange }: PackProps) {
  const t = useText();
  return (
    <div className={classes.pack}>
      {(['lot', 'serial'] as const).map((part) => (
        <TextInput
          key={part}
          label={t(`details.${part}`)}
          aria-label={`${t(`details.${part}`)}: ${name}`}
          maxLength={50}
          autoComplete="off"
          value={pack[part] ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ ...pack, [part]: value || null })}
        />
      ))}
    </div>
  );
}

const NO_IMPLANT_PACK = { gtin: null, lot: null, expiry: null, serial: null };

const isImplant = ({ product, isImplant: asked }: Item) => product.implant || asked;

/** Return whether an implant lacks its lot or serial number. */
const isUntraced = (item: Item) => isImplant(item) && !(item.pack?.lot?.trim() && item.pack.serial?.trim());

const TITLES = {
  repeat: 'batch.repeat',
  again: 'batch.again',
  rows: 'batch.rows',
  entry: 'batch.refused',
} as const;

/** Product facts that a kit's lines do not contain. */
const UNKNOWN = { gtin: null, decimals: 3, asks_lot: false, asks_serial: false, implant: false };

function itemsOf(batch: DetailsBatch, again: string): Item[] {
  if (batch.kind === 'kit')
    return batch.kit.lines.map(({ product, quantity, optional }) => ({
      product,
      quantity,
      ticked: product.active && !optional,
    }));
  if (batch.kind === 'again')
    // The server refuses inactive products. Pack data is left out, because each new line has another pack.
    return batch.details.map(({ product: { id, name, code = null, implant }, quantity }) => ({
      product: { id, name, code, unit: null, active: true, implant },
      quantity,
      ticked: true,
    }));
  if (batch.kind !== 'entry') return [];
  const { items, messages } = batch.line;
  return items.flatMap((values, place) => {
    const { product, quantity, acknowledged, gtin, lot, expiry, serial, scanned, input_method } = values;
    if (!product) return [];
    const told = messages.filter((one) => placeOf(one) === place);
    const isAsked = told.length > 0 && told.every(({ acknowledgeable }) => acknowledgeable);
    const wrong = [
      ...told.map(({ text, textAtItem }) => textAtItem ?? text),
      isAsked && !needsReason(told) ? again : '',
    ]
      .join(' ')
      .trim();
    return {
      product,
      quantity,
      ticked: product.active,
      pack: { gtin, lot, expiry, serial },
      inputMethod: scanned ? 'scan' : input_method,
      wrong: wrong || undefined,
      isImplant: told.some(({ code }) => code === IMPLANT_INCOMPLETE),
      recallId: told.find(({ recallId }) => recallId)?.recallId,
      asked: [...acknowledged, ...(isAsked ? told.map(({ code }) => code ?? '') : [])],
    };
  });
}

/** Return the index of the item that a message is about. */
function placeOf({ field }: Message): number | null {
  const [, place] = /^items\.(\d+)\./.exec(field ?? '') ?? [];
  return place === undefined ? null : Number(place);
}

function kitOf(batch: DetailsBatch): number | undefined {
  if (batch.kind === 'kit') return batch.kit.id;
  return batch.kind === 'entry' ? (batch.line.kitId ?? undefined) : undefined;
}

/**
 * Look up the products of pasted rows, in order, by code or else by name.
 *
 * Rows without a product are listed and skipped.
 */
function usePasted(batch: DetailsBatch, onFound: (items: Item[]) => void) {
  const dispatch = useAppDispatch();
  const [unknown, setUnknown] = useState<string[]>([]);
  const [looking, setLooking] = useState(0);
  const rows = batch.kind === 'rows' ? batch.rows : null;
  const found = useEffectEvent(onFound);
  useEffect(() => {
    let over = false;
    async function look(those: NonNullable<typeof rows>) {
      const items: Item[] = [];
      const missing: string[] = [];
      for (let from = 0; from < those.length && !over; from += AT_ONCE) {
        setLooking(those.length - from);
        const some = those.slice(from, from + AT_ONCE);
        const answers = await Promise.all(some.map(({ texts }) => findProduct(dispatch, texts)));
        const failed = answers.find(({ error }) => error);
        if (failed && !over) showProblem(toProblem(failed.error));
        for (const [at, { product }] of answers.entries()) {
          const { texts = [], quantity = '' } = some[at] ?? {};
          if (product) items.push({ product, quantity: amountOf(quantity), ticked: product.active });
          else missing.push(texts[0] ?? '');
        }
      }
      if (over) return;
      setLooking(0);
      setUnknown(missing);
      found(items);
    }
    if (rows) look(rows);
    return () => {
      over = true;
    };
  }, [rows, dispatch]);
  return { unknown, looking };
}

/** Find the only product that has one of these texts as its code, or else as its name. */
async function findProduct(
  dispatch: AppDispatch,
  texts: string[],
): Promise<{ product?: BatchProduct; error?: unknown }> {
  const { lookUpProduct, listProducts } = generatedApi.endpoints;
  const once = { subscribe: false, forceRefetch: true };
  for (const text of texts) {
    const { data, error } = await dispatch(lookUpProduct.initiate({ text }, once));
    if (error || data?.matches.length === 1) return { product: data?.matches[0]?.product, error };
  }
  for (const text of texts) {
    const { data, error } = await dispatch(listProducts.initiate({ name: text, limit: OPTIONS_LIMIT }, once));
    const named = data?.items.filter(({ name }) => caseFold(name) === caseFold(text)) ?? [];
    if (error || named.length === 1) return { product: named[0], error };
  }
  return {};
}

const amountOf = (text: string | null) => (text === '' ? 1 : text && readDecimal(text));

interface SaveAsKitProps {
  chosen: Item[];
  offered: boolean;
  /** Called after saving; set if the drawer was opened to save a kit. */
  onSaved?: () => void;
}

/** Save the ticked lines as a personal kit. */
function SaveAsKit({ chosen, offered, onSaved }: SaveAsKitProps) {
  const t = useText();
  const [createKit] = useCreateKitMutation();
  const { submit, pending } = useSubmit();
  const [name, setName] = useState(onSaved ? '' : null);
  const [wrong, setWrong] = useState('');
  if (!offered || (chosen.length === 0 && !onSaved)) return null;
  if (name === null)
    return (
      <Button variant="subtle" onClick={() => setName('')}>
        {t('batch.asKit')}
      </Button>
    );

  async function save() {
    const quantities = new Map<number, number>();
    // In thousandths, because sums of binary fractions are not exact.
    for (const { product, quantity } of chosen)
      quantities.set(product.id, (quantities.get(product.id) ?? 0) + Math.round(Number(quantity) * 1000));
    const done = await submit(
      () =>
        createKit({
          kitDraft: {
            name: name ?? '',
            own: true,
            lines: [...quantities].map(([product_id, quantity]) => ({
              product_id,
              quantity: quantity / 1000,
              optional: false,
            })),
          },
        }),
      {
        success: 'batch.kitSaved',
        onProblem: ({ status, messages }) => {
          setWrong(messages.map(({ text }) => text).join(' '));
          return status === 422;
        },
      },
    );
    if (!done.ok) return;
    if (onSaved) onSaved();
    else setName(null);
  }
  return (
    <>
      <TextInput
        className={classes.name}
        label={t('batch.kitName')}
        value={name}
        error={wrong}
        autoFocus={!onSaved}
        onChange={({ currentTarget: { value } }) => {
          setName(value);
          setWrong('');
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault(); // Enter saves the kit and must not record the lines
          if (chosen.length > 0) save();
        }}
      />
      <Button
        variant={onSaved ? 'filled' : 'default'}
        onClick={save}
        loading={pending}
        disabled={chosen.length === 0}
      >
        {t('batch.saveKit')}
      </Button>
    </>
  );
}
