import { Alert, Anchor, VisuallyHidden } from '@mantine/core';
import { useCallbackRef, useMediaQuery } from '@mantine/hooks';
import { IconLock } from '@tabler/icons-react';
import {
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import {
  type DetailView,
  type NotedCodeView,
  type ProductView,
  type UseReason,
  useListUsualProductsQuery,
} from '@/api/generated';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import { useLazyReadKitQuery, useLazyReadProductQuery } from '@/api/lazy';
import { isAborted, throwOnError, toProblem } from '@/api/problem';
import { useSheetDetailsInfiniteQuery } from '@/api/sheetDetails';
import { withLaterTexts } from '@/i18n/messages';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { isWaiting } from '@/outbox/outboxSlice';
import { useCan } from '@/session/useCan';
import { showProblem } from '@/shared/forms/useSubmit';
import { useUnsavedChangesPrompt } from '@/shared/forms/useUnsavedChangesPrompt';
import { areaOf, isClosed, roomOf, type Subject } from '@/shared/records/subject';
import { lazyPart } from '@/shared/ui/lazyPart';
import { loadMoreMenu } from '@/shared/ui/OverflowMenuButton';
import { PageLoader } from '@/shared/ui/PageLoader';
import { useLoneKey } from '@/shared/ui/singleKeys';
import { touch } from '@/shared/ui/useFirstInteraction';
import { useAppSelector } from '@/state/storeHooks';
import { loadVoidDialog } from '@/topics/sheets/lines/LineDialog';
import { AREA_REASONS } from '@/topics/sheets/lines/wasteReasons';
import type { DetailsBatch } from './batch/items';
import type { HeadProps } from './head/headProps';
import { type DetailsList, DetailsTable, type LineTarget } from './lines/DetailsTable';
import { useDensity } from './lines/useDensity';
import { useUndoKey } from './lines/useUndoKey';
import { PendingNames } from './PendingNames';
import { PhotoPanel } from './photo/LazyPhotoPanel';
import classes from './RecordingPage.module.css';
import { hasKeyboard, RecordBar } from './record-bar/RecordBar';
import { useDefaultArea } from './record-bar/useDefaultArea';
import { hasDraft, recorderOf, useDetailForm } from './record-bar/useDetailForm';
import { type ManualEntry, useManualEntry } from './record-bar/useManualEntry';
import { suggestionOf } from './record-bar/useProductSuggestions';
import { lacksReason } from './scanning/recorderState';
import { type RecorderControl, useRecorder } from './scanning/useRecorder';
import { usePins } from './side-panel/usePins';
import { ConnectionNotice } from './sync/ConnectionNotice';
import { RemoteChangesNotice } from './sync/RemoteChangesNotice';
import { useDeviceCopies } from './sync/useDeviceCopies';
import { useLocalChanges } from './sync/useLocalChanges';
import { useRemoteChanges } from './sync/useRemoteChanges';
import { type SheetOutbox, useSheetOutbox } from './sync/useSheetOutbox';
import { useSheetPolling } from './sync/useSheetPolling';

const LateEntries = lazyPart(withLaterTexts(() => import('@/topics/sheets/offline/LateEntries')));
const UnlistedItems = lazyPart(withLaterTexts(() => import('@/topics/sheets/offline/UnlistedItems')));
const loadOpenRows = () => import('./scanning/OpenRows').then(({ OpenRows }) => ({ default: OpenRows }));
const OpenRows = lazyPart(loadOpenRows);
const CodeDialog = lazyPart(
  withLaterTexts(() =>
    import('@/topics/catalogue/CodeDialog').then(({ CodeDialog }) => ({ default: CodeDialog })),
  ),
);
const RecordBatchDrawer = lazyPart(() => import('./batch/RecordBatchDrawer'));
const SidePanel = lazyPart(() => import('./side-panel/SidePanel'));
const FirstLine = lazyPart(() => import('./lines/FirstLine'));
const VoidedLines = lazyPart(withLaterTexts(() => import('./lines/VoidedLines')));

const fresh = { refetchOnMountOrArgChange: true };
const none: ProductView[] = [];

interface Props {
  sheetId: number;
  /** The query that reads the subject. */
  query: { data?: Subject; error?: unknown; isFetching: boolean; refetch: () => unknown };
  /** What the subject is called in the question before leaving. */
  name: string | undefined;
  /** Whose former sheets may be repeated. */
  patientId?: number;
  /** What an area uses the next lines for; empty until that is chosen. Undefined for a patient. */
  reason?: UseReason | '';
  onReason?: (reason: UseReason) => void;
  /** Shown above the page. */
  notice?: ReactNode;
  head: (props: HeadProps) => ReactNode;
  /** Notices above the lines. */
  children?: ReactNode;
}

/**
 * Record consumption line by line, by hand and by scan.
 *
 * This is the page where users spend their day.
 */
export function RecordingPage(props: Props) {
  const { sheetId, query: sheet, name, patientId, reason, onReason, notice, head, children } = props;
  const t = useText();
  const format = useFormat();
  const mayDecide = useCan('late_entries.manage');
  const mayAdd = useCan('details.add');
  const pages = useSheetDetailsInfiniteQuery(sheetId, fresh);
  throwOnError(pages);
  // Users learn the numbers that choose these products: the server keeps them for a shift.
  const usual = useListUsualProductsQuery({ sheetId }, fresh);
  const subject = sheet.data;
  useDeviceCopies(subject && areaOf(subject));
  const fixedUsual = usual.currentData?.items;
  const pins = usePins(usual.data?.pinned);
  const form = useDetailForm(reason);
  const isAreaKnown = useDefaultArea(form, subject);
  const details = useMemo(() => pages.data?.pages.flatMap(({ items }) => items), [pages.data]);
  const own = useLocalChanges(sheetId);
  const [batch, setBatch] = useState<DetailsBatch | null>(null);
  /** Whether packs are photographed; `filled` if something in a picture is not recorded. */
  const [photo, setPhoto] = useState<'open' | 'filled' | null>(null);
  const onPhoto = useCallback(() => setPhoto((now) => now ?? 'open'), []);
  const isGone = sheet.error !== undefined && toProblem(sheet.error).status === 404;
  const closed = subject !== undefined && isClosed(subject);
  const over = closed || isGone;
  const recorder: RecorderControl = useRecorder({
    sheetId,
    roomId: subject && roomOf(subject),
    patient: name,
    isOn: mayAdd && !over,
    isReady: subject !== undefined && isAreaKnown,
    by: () => recorderOf(form),
    takeInHand: () => manual.takeInHand(),
    keepLine: () => manual.keepLine(),
    onRecord: (key, values) => outbox.record(key, values),
    onChange: (rows) => outbox.keepRows(rows),
    otherMeaning: (code) => meaningOfNumber(code),
    focus: () => manual.toBar(),
    onKit: (kitId) => void openKit(kitId),
  });
  const outbox: SheetOutbox = useSheetOutbox({
    sheetId,
    form,
    details,
    recorder,
    onTakenOff: own.remove,
    onBatch: setBatch,
  });
  const manual: ManualEntry = useManualEntry({
    form,
    recorder,
    onBatch: setBatch,
  });
  /**
   * Return the usual product with this number.
   *
   * A scanned product code may look the same.
   */
  function meaningOfNumber(code: string) {
    const product = /^\d\d?$/.test(code) ? fixedUsual?.[Number(code) - 1] : undefined;
    if (!product) return undefined;
    const label = t('scan.isUsual', { number: code, product: product.name });
    return { label, run: () => manual.choose(suggestionOf(product)) };
  }
  const [readKit] = useLazyReadKitQuery();
  async function openKit(kitId: number) {
    const { data: kit, error } = await readKit({ kitId });
    if (kit) setBatch({ kind: 'kit', kit });
    else if (error && !isAborted(error)) showProblem(toProblem(error));
  }
  const takeReason = useEffectEvent((chosen: UseReason | '') => {
    form.setFieldValue('use_reason', chosen);
    if (chosen) recorder.send({ type: 'reasonChosen', reason: chosen });
    if (chosen && hasKeyboard()) manual.toBar();
  });
  useEffect(() => {
    if (reason !== undefined) takeReason(reason);
  }, [reason]);
  const putAside = useEffectEvent(() => {
    const inHand = manual.takeInHand();
    if (inHand) recorder.send({ type: 'putAside', key: newIdempotencyKey(), ...inHand, isAssumed: true });
  });
  // On closing, the bar disappears; its draft moves to the rows above the list.
  useEffect(() => {
    if (over) putAside();
  }, [over]);
  const busy = outbox.state.lines.some(({ status }) => status === 'sending');
  const others = useRemoteChanges(details, own);
  useSheetPolling({
    sheet: subject,
    details,
    busy: busy || sheet.isFetching || pages.isFetching,
    onChange: () => {
      sheet.refetch();
      pages.refetch();
    },
  });

  const [wasOpen, setWasOpen] = useState(false);
  if (subject && !closed && !wasOpen) setWasOpen(true);

  const editing = useRef(() => false);
  const { unrecorded, undo } = outbox;
  const { isStopped, told } = outbox.state;
  const waiting = unrecorded.filter(isWaiting).length;
  // Entries are stored on the device, or exist only on this page if the browser keeps nothing.
  const isKept = useAppSelector((state) => state.outbox.isKept);
  const { open } = recorder;
  useUnsavedChangesPrompt(
    () =>
      !over &&
      (recorder.readOpen().length > 0 ||
        recorder.readLooking().length > 0 ||
        (!isKept && unrecorded.length > 0) ||
        hasDraft(form) ||
        batch !== null ||
        photo === 'filled' ||
        editing.current()),
    {
      question: 'details.leave.question',
      action: 'details.leave.action',
      onLeave: outbox.abandon,
      settle:
        open.length > 0 || form.values.product
          ? { action: 'details.leave.record', run: recordAll }
          : undefined,
      children: <PendingNames rows={open} readLooking={recorder.readLooking} values={form.values} />,
    },
  );
  /** Record all open lines and acknowledge their questions. */
  function recordAll() {
    const inHand = manual.takeInHand();
    if (inHand) recorder.send({ type: 'putAside', key: newIdempotencyKey(), ...inHand });
    recorder.releaseAll();
  }

  const onUndo = useCallbackRef(undo);
  const onUndoOf = useCallbackRef(outbox.takeOff);
  const onRepeat = useCallbackRef(outbox.answerRepeat);
  const onAgain = useCallback((details: DetailView[]) => setBatch({ kind: 'again', details }), []);
  const onSend = useCallbackRef(outbox.send);
  useLoneKey((key) => {
    const chosen = !over && onReason && AREA_REASONS[Number(key) - 1];
    return chosen ? () => onReason(chosen) : undefined;
  });
  useUndoKey(!over && outbox.canUndo ? onUndo : undefined);

  const onRecordAt = useCallbackRef((moment: string | null) => {
    form.setFieldValue('used_at', moment);
    manual.toBar();
  });
  const onChoose = useCallbackRef((product: ProductView) => manual.choose(suggestionOf(product)));
  /** The unknown code whose product is being assigned. */
  const [linking, setLinking] = useState<{ key: string; raw: string; unknown: NotedCodeView } | null>(null);
  const hasOpen = recorder.rows.length > 0 || recorder.waiting > 0 || unrecorded.length > waiting;
  const [showsVoided, setShowsVoided] = useState(false);
  const onVoided = useCallback(() => setShowsVoided(true), []);
  const [readProduct] = useLazyReadProductQuery();
  const onRecord = useCallbackRef(async (productId: number, quantity?: number) => {
    const { data } = await readProduct({ productId });
    if (data) manual.choose({ ...suggestionOf(data), quantity });
  });
  function recordAgain({ product_id }: DetailView) {
    setShowsVoided(false);
    onRecord(product_id);
  }

  const wide = useMediaQuery('(min-width: 100em)', false, { getInitialValueInEffect: false });

  const [density, setDensity] = useDensity();
  const isShown = subject !== undefined && details !== undefined;
  useEffect(() => {
    if (!isShown) return;
    // What one line may need is there before the network fails.
    touch();
    for (const load of [loadMoreMenu, loadOpenRows, loadVoidDialog]) load().catch(() => {});
  }, [isShown]);

  const looked = Number(useSearchParams()[0].get('line')) || null;
  const [target, setTarget] = useState<LineTarget | null>(looked === null ? null : { id: looked, to: 'see' });
  const [isLost, setIsLost] = useState(false);
  const onMend = useCallback((id: number) => setTarget({ id, to: 'edit' }), []);
  const onReached = useCallback(
    (found: boolean) => {
      setTarget(null);
      if (target?.to === 'see') setIsLost(!found);
    },
    [target],
  );

  const lines = subject?.consumptions.reduce((sum, day) => sum + day.details, 0) ?? 0;
  const { hasNextPage, fetchNextPage, isFetchingNextPage, isFetching } = pages;
  const list = useMemo<DetailsList>(
    () => ({
      details: details ?? [],
      more: hasNextPage && details ? lines - details.length : 0,
      onMore: fetchNextPage,
      loadingMore: isFetchingNextPage,
      fetching: isFetching,
    }),
    [details, lines, hasNextPage, fetchNextPage, isFetchingNextPage, isFetching],
  );
  const isEmpty = details?.length === 0 && !over && mayAdd;
  // The examples must not change once they are shown.
  const isUsualKnown = fixedUsual !== undefined || usual.isError;
  const example = usual.isError ? undefined : fixedUsual?.[0];
  const empty = useMemo(
    () =>
      isEmpty ? (
        <Suspense fallback={null}>{isUsualKnown && <FirstLine product={example} />}</Suspense>
      ) : undefined,
    [isEmpty, isUsualKnown, example],
  );
  const changes = useMemo(() => ({ own, others }), [own, others]);
  // Deferred: users can type into the bar before a hundred lines are rendered.
  const drawsLines = useDeferredValue(true, false);

  if (!subject || !details) return <PageLoader />;
  return (
    <div className={classes.page} data-own-head data-density={density}>
      {notice}
      <div className={classes.top}>
        {head({
          lines,
          over,
          waiting,
          held: unrecorded.length - waiting,
          isStopped,
          onSend,
          stale: sheet.isFetching,
          onMend,
          onRecordAt,
          onRecord,
          withoutReason: recorder.rows.filter(lacksReason).length,
          density,
          onDensity: setDensity,
          onBatch: mayAdd ? setBatch : undefined,
          onPhoto: mayAdd ? onPhoto : undefined,
          onVoided,
          usual: fixedUsual,
        })}
        {!over && mayAdd && (
          <RecordBar
            sheet={subject}
            form={form}
            manual={manual}
            recorder={recorder}
            pins={pins}
            usual={usual.isError ? none : fixedUsual}
            onPhoto={onPhoto}
          />
        )}
      </div>
      <div className={classes.below}>
        {isGone && (
          <Alert icon={<IconLock aria-hidden />} title={t('details.sheetGone')} color="gray" role="alert">
            {t('details.sheetGoneHint')}
          </Alert>
        )}
        {closed && !isGone && (
          <Alert
            icon={<IconLock aria-hidden />}
            title={t(wasOpen ? 'details.closedByOther' : 'details.closed')}
            color="gray"
            role="status"
          >
            {'deleted_at' in subject && subject.deleted_at && (
              <span>{t('details.closedAt', { at: format.moment(subject.deleted_at) })}</span>
            )}{' '}
            <Anchor component={Link} to={`/consumption-sheets/closed/${sheetId}`}>
              {t('details.seeClosed')}
            </Anchor>
          </Alert>
        )}
        {isLost && (
          <Alert color="gray" role="status">
            {t('details.lineGone')}
          </Alert>
        )}
        {mayDecide && Boolean(subject.late_entries) && (
          <Suspense>
            <LateEntries sheet={subject} />
          </Suspense>
        )}
        {Boolean(subject.unlisted_items) && (
          <Suspense>
            <UnlistedItems sheet={subject} />
          </Suspense>
        )}
        {children}
        <ConnectionNotice seen={subject} waiting={waiting} onSend={onSend} />
        {photo && !over && (
          <Suspense>
            <PhotoPanel
              sheetId={sheetId}
              here={name ?? ''}
              recorder={form.values}
              onReason={onReason}
              onRecord={(items) => outbox.recordTogether(items)}
              onAsk={(rows) => recorder.send({ type: 'restored', rows })}
              onFilled={() => setPhoto('filled')}
              onClose={() => setPhoto(null)}
              toBar={manual.toBar}
            />
          </Suspense>
        )}
        {hasOpen && (
          <Suspense>
            <OpenRows
              recorder={recorder}
              outbox={outbox}
              toBar={manual.toBar}
              onLink={(key, raw, unknown) => setLinking({ key, raw, unknown })}
              onName={manual.chooseFor}
            />
          </Suspense>
        )}
        <VisuallyHidden role="status">
          {[
            told?.what === 'recorded' &&
              t('area' in subject ? 'area.recorded' : 'details.recorded', {
                what: format.counted(told.quantity, told.product),
                area: 'area' in subject ? subject.area.name : '',
              }),
            outbox.state.repeats.at(-1)?.text,
          ]
            .filter(Boolean)
            .join(' ')}
        </VisuallyHidden>
        {drawsLines && (
          <DetailsTable
            sheet={subject}
            looked={looked}
            density={density}
            closed={over}
            list={list}
            outbox={outbox.state}
            changes={changes}
            onUndo={onUndoOf}
            onRepeat={onRepeat}
            onAgain={!over && mayAdd ? onAgain : undefined}
            empty={empty}
            target={target}
            onReached={onReached}
            editing={editing}
          />
        )}
      </div>
      {wide && (
        <div className={classes.side}>
          <Suspense>
            <SidePanel
              details={details}
              isComplete={list.more === 0}
              days={subject.consumptions}
              usual={usual.isError ? none : fixedUsual}
              onChoose={!over && mayAdd ? onChoose : undefined}
              pins={pins}
            />
          </Suspense>
        </div>
      )}
      {batch && !over && (
        <Suspense>
          <RecordBatchDrawer
            sheetId={sheetId}
            patientId={patientId}
            batch={batch}
            recorder={form.values}
            onReason={onReason}
            onClose={() => setBatch(null)}
            onSetAside={(values, key) => recorder.setAside(values, undefined, key)}
            onRecord={(items, kitId) => {
              setBatch(null);
              outbox.recordTogether(items, kitId);
            }}
          />
        </Suspense>
      )}
      {showsVoided && (
        <Suspense>
          <VoidedLines
            sheetId={sheetId}
            onClose={() => setShowsVoided(false)}
            onAgain={!over && mayAdd ? recordAgain : undefined}
          />
        </Suspense>
      )}
      {linking && (
        <Suspense>
          <CodeDialog
            asked={linking}
            opened
            onClose={() => setLinking(null)}
            onAdded={() => {
              recorder.send({ type: 'removed', key: linking.key });
              recorder.scan({ code: linking.raw });
            }}
          />
        </Suspense>
      )}
      <RemoteChangesNotice changes={others} />
    </div>
  );
}
