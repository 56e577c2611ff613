import { Button, Drawer } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type FormEvent, lazy, Suspense, useEffect, useRef } from 'react';
import { type UseReason, useListMissedChargesQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { type DetailValues, EMPTY_SCAN } from '@/outbox/outboxSlice';
import { useSession } from '@/session/session';
import { useEscape } from '@/shared/dialogs/useEscape';
import { useReturnFocus } from '@/shared/dialogs/useReturnFocus';
import { nameAndCode } from '@/shared/records/nameAndCode';
import {
  IMPLANT_INCOMPLETE,
  LOT_RECALLED,
  type Question,
  type Reasons,
} from '@/topics/sheets/lines/questions';
import { AreaReasonChoice } from '@/topics/sheets/lines/ReasonChoice';
import { useDetailRules } from '@/topics/sheets/lines/useDetailRules';
import { missingText, useReasons } from '@/topics/sheets/lines/useReasons';
import { noteWay } from '../common/waysDone';
import type { Recorder } from '../scanning/recorderState';
import { BatchLine } from './BatchLine';
import { type DetailsBatch, type Item, isUntraced, itemsOf, kitOf, placeOf, UNKNOWN } from './items';
import classes from './RecordBatchDrawer.module.css';
import { RepeatedLines } from './RepeatedLines';
import { usePasted } from './usePasted';
import { useSaveAsKit } from './useSaveAsKit';

// Without network nothing is asked.
const MissedCharges = lazy(() => import('../missed/MissedCharges').catch(() => ({ default: () => null })));

interface Props {
  sheetId: number;
  patientId: number | undefined;
  batch: DetailsBatch;
  /** As whom, where and what for the lines are recorded. */
  recorder: Recorder;
  /** Choose what an area uses them for. */
  onReason?: (reason: UseReason) => void;
  onClose: () => void;
  /** Set recalled units aside; once for each key. */
  onSetAside: (values: DetailValues, key?: string) => void;
  onRecord: (items: DetailValues[], kitId?: number) => void;
}

/**
 * Record several lines together, all or none.
 *
 * They are a kit's, those of another day, or pasted ones. The lines are sent exactly as displayed.
 */
export default function RecordBatchDrawer(props: Props) {
  const { sheetId, patientId, batch, recorder, onReason, onClose, onSetAside, onRecord } = props;
  useEscape(true, onClose);
  useReturnFocus(true);
  const t = useText();
  const { quantity: rule } = useDetailRules();
  const form = useForm<{ items: Item[] }>({
    initialValues: { items: itemsOf(batch, t('scan.again')) },
  });
  const userId = useSession().user?.id ?? 0;
  const { items } = form.values;
  // A refused entry keeps as whom, where, when and what for it was used.
  const [kept] = batch.kind === 'entry' ? batch.line.items : [];
  const by = kept ?? recorder;
  const use_reason = kept?.use_reason || recorder.use_reason;
  const fill = (found: Item[]) => form.setValues({ items: found });
  const { unknown, looking } = usePasted(batch, { sheetId, recorder }, fill);
  const onlyKit = batch.kind === 'repeat' && batch.asKit === true;
  const missed = useListMissedChargesQuery(
    { sheetId, kitId: kitOf(batch) },
    { skip: batch.kind !== 'kit', refetchOnMountOrArgChange: true },
  ).currentData?.items;

  const list = useRef<HTMLDivElement>(null);
  const isThere = items.length > 0;
  useEffect(() => {
    // The first quantity to type; for another day, the first checkbox. A kit begins with its name.
    const first =
      isThere && !onlyKit && (batch.kind === 'repeat' ? 'input[type=checkbox]' : 'input[inputmode]');
    if (first) list.current?.querySelector<HTMLInputElement>(first)?.focus();
  }, [isThere, onlyKit, batch.kind]);

  const change = (place: number, news: Partial<Item>) =>
    form.setValues({
      items: items.map((item, at) => (at === place ? { ...item, wrong: undefined, ...news } : item)),
    });

  const askReasons = useReasons();
  const chosen = items.flatMap((item, place) =>
    item.ticked && item.quantity !== 0 ? [{ item, place }] : [],
  );

  /** Show what is wrong with the quantities; true if nothing is. */
  function checkQuantities() {
    const wrong = new Map(chosen.map(({ item, place }) => [place, rule(item.quantity)]));
    if (![...wrong.values()].some(Boolean)) return true;
    form.setValues({ items: items.map((item, at) => ({ ...item, wrong: wrong.get(at) ?? undefined })) });
    return false;
  }

  const asKit = useSaveAsKit({
    chosen: chosen.map(({ item }) => item),
    check: checkQuantities,
    offered: batch.kind !== 'kit' && batch.kind !== 'entry',
    onSaved: onlyKit ? onClose : undefined,
  });

  async function record(event: FormEvent) {
    event.preventDefault();
    if (onlyKit) return;
    if (!checkQuantities()) return;
    if (chosen.length === 0 || use_reason === '') return;
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
    const { staff_id, staff, area_id, used_at } = by;
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
      used_at,
      use_reason,
      acknowledged: [...new Set([...(item.asked ?? []), ...(isUntraced(item) ? [IMPLANT_INCOMPLETE] : [])])],
      recall_reason: item.recallId ? (reasons.recall_reason ?? null) : null,
      implant_reason: isUntraced(item) ? (reasons.implant_reason ?? null) : null,
      asked: item.recallId ? [{ code: LOT_RECALLED, text: item.wrong ?? '', recallId: item.recallId }] : [],
      corrects: batch.kind === 'entry' ? batch.line.key : null,
    };
  }

  /** Set a recalled line aside: it is no longer recorded with the others. */
  function setAside(item: Item, place: number) {
    const wrong = rule(item.quantity);
    if (wrong) return change(place, { wrong });
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
              {onlyKit && asKit.field}
              {batch.kind === 'repeat' && (
                <RepeatedLines sheetId={sheetId} patientId={patientId} forKit={onlyKit} onFound={fill} />
              )}
              {looking > 0 && <p role="status">{t('scan.looking', { waiting: looking })}</p>}
              {ofAll.map(({ text }) => (
                <p key={text} className={classes.wrong} role="alert">
                  {text}
                </p>
              ))}
              {items.map((item, place) => (
                <BatchLine
                  // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed, and a product may occur twice.
                  key={place}
                  item={item}
                  isFirst={place === 0}
                  onChange={(news) => change(place, news)}
                  onSetAside={() => setAside(item, place)}
                />
              ))}
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
              {use_reason === '' && onReason && !onlyKit && (
                <div>
                  <p>{t('area.chooseFirst')}</p>
                  <AreaReasonChoice value="" onChange={onReason} />
                </div>
              )}
              {unknown.length > 0 && (
                <p className={classes.wrong}>{t('batch.unknown', { codes: unknown.join(', ') })}</p>
              )}
            </div>
            <div className={classes.foot}>
              {!onlyKit && asKit.field}
              {asKit.button}
              {!onlyKit && (
                <Button type="submit" disabled={chosen.length === 0 || use_reason === ''}>
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

const TITLES = {
  repeat: 'batch.repeat',
  again: 'batch.again',
  rows: 'batch.rows',
  entry: 'batch.refused',
} as const;
