import { Alert, Anchor, VisuallyHidden } from '@mantine/core';
import { useCallbackRef, useMediaQuery } from '@mantine/hooks';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import {
  type DetailView,
  type ProductView,
  useListUsualProductsQuery,
  useReadSheetQuery,
} from '@/api/generated';
import { useLazyReadProductQuery } from '@/api/lazy';
import { failOn, problemOf } from '@/api/problem';
import { useSheetDetailsInfiniteQuery } from '@/api/sheetDetails';
import { loadMoreMenu } from '@/components/MoreButton';
import { PageLoader } from '@/components/PageLoader';
import { useFirstInteraction } from '@/components/useFirstInteraction';
import { useLeaveGuard } from '@/components/useLeaveGuard';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { isWaiting } from '@/outbox/outboxSlice';
import { useCan } from '@/session/useCan';
import { useAppSelector } from '@/storeHooks';
import { ConnectionNotice } from './ConnectionNotice';
import { type DetailsList, DetailsTable } from './DetailsTable';
import { OthersNotice } from './OthersNotice';
import { RecordBar } from './RecordBar';
import type { DetailsBatch } from './RecordBatchDrawer';
import classes from './SheetDetailsPage.module.css';
import { SheetHead } from './SheetHead';
import { UnrecordedNotice } from './UnrecordedNotice';
import { useCatalogueCopy } from './useCatalogueCopy';
import { useDensity } from './useDensity';
import { isBegun, useDetailForm } from './useDetailForm';
import { useOthersChanges } from './useOthersChanges';
import { useOwnChanges } from './useOwnChanges';
import { usePins } from './usePins';
import { suggestionOf } from './useProductSuggestions';
import { useRecordBar } from './useRecordBar';
import { useSheetOutbox } from './useSheetOutbox';
import { useSheetPolling } from './useSheetPolling';
import { useUndoKey } from './useUndoKey';

const DischargeNotice = lazy(() => import('./DischargeNotice'));
const LateEntries = lazy(() => import('@/components/LateEntries'));
const RecordBatchDrawer = lazy(() => import('./RecordBatchDrawer'));
const SidePanel = lazy(() => import('./SidePanel'));
const VoidedLines = lazy(() => import('./VoidedLines'));

/** Where people spend their day: what one patient consumes, recorded line by line. */
export default function SheetDetailsPage() {
  const sheetId = Number(useParams().sheetId);
  return <SheetDetails key={sheetId} sheetId={sheetId} />;
}

const fresh = { refetchOnMountOrArgChange: true };
const none: ProductView[] = [];

function SheetDetails({ sheetId }: { sheetId: number }) {
  const t = useText();
  const format = useFormat();
  const mayDecide = useCan('late_entries.manage');
  const mayAdd = useCan('details.add');
  useCatalogueCopy();
  const sheet = useReadSheetQuery({ sheetId }, fresh);
  const pages = useSheetDetailsInfiniteQuery(sheetId, fresh);
  failOn(sheet);
  failOn(pages);
  // The same for as long as one stays: the numbers by which they are chosen keep their meaning.
  const usual = useListUsualProductsQuery({ sheetId }, fresh);
  const pins = usePins(usual.data?.pinned);
  const form = useDetailForm();
  const details = useMemo(() => pages.data?.pages.flatMap(({ items }) => items), [pages.data]);
  const own = useOwnChanges(sheetId);
  const [batch, setBatch] = useState<DetailsBatch | null>(null);
  const outbox = useSheetOutbox(sheetId, form, details, own.remove, setBatch);
  const bar = useRecordBar(form, outbox, setBatch);
  const busy = outbox.state.lines.some(({ status }) => status === 'sending');
  const others = useOthersChanges(details, own, busy);
  useSheetPolling({
    sheet: sheet.data,
    details,
    busy: busy || sheet.isFetching || pages.isFetching,
    onChange: () => {
      sheet.refetch();
      pages.refetch();
    },
  });

  const isGone = sheet.error !== undefined && problemOf(sheet.error).status === 404;
  const closed = sheet.data?.closed ?? false;
  const over = closed || isGone;
  const [wasOpen, setWasOpen] = useState(false);
  if (sheet.data && !closed && !wasOpen) setWasOpen(true);

  const editing = useRef(() => false);
  const { unrecorded, undo } = outbox;
  const { isStopped, told } = outbox.state;
  const waiting = unrecorded.filter(isWaiting).length;
  // What was entered is on the device, or leaves with this page alone.
  const isKept = useAppSelector((state) => state.outbox.isKept);
  const mayBeLost =
    unrecorded.some(({ status }) => status === 'setAside') || (!isKept && unrecorded.length > 0);
  useLeaveGuard(() => !over && (mayBeLost || bar.waiting > 0 || isBegun(form) || editing.current()), {
    question: 'details.leave.question',
    action: 'details.leave.action',
    onLeave: outbox.abandon,
  });

  const onUndo = useCallbackRef(undo);
  const onRepeat = useCallbackRef(outbox.answerRepeat);
  const onSend = useCallbackRef(outbox.send);
  useUndoKey(!over && outbox.canUndo ? onUndo : undefined);

  const onChoose = useCallbackRef((product: ProductView) => bar.choose(suggestionOf(product)));
  const [showsVoided, setShowsVoided] = useState(false);
  const onVoided = useCallback(() => setShowsVoided(true), []);
  const [readProduct] = useLazyReadProductQuery();
  async function recordAgain({ product_id }: DetailView) {
    setShowsVoided(false);
    const { data } = await readProduct({ productId: product_id });
    if (data) onChoose(data);
  }

  const wide = useMediaQuery('(min-width: 100em)', false, { getInitialValueInEffect: false });

  const [density, setDensity] = useDensity();
  const touched = useFirstInteraction();
  useEffect(() => {
    if (touched) loadMoreMenu().catch(() => {});
  }, [touched]);

  const [target, setTarget] = useState<number | null>(null);
  const onReached = useCallback(() => setTarget(null), []);

  const lines = sheet.data?.consumptions.reduce((sum, day) => sum + day.details, 0) ?? 0;
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
  const changes = useMemo(() => ({ own, others }), [own, others]);
  // The bar first: whoever comes to record need not wait for a hundred lines to be drawn.
  const drawsLines = useDeferredValue(true, false);

  if (!sheet.data || !details) return <PageLoader />;
  const { deleted_at } = sheet.data;
  return (
    <div className={classes.page} data-own-head data-density={density}>
      <div className={classes.top}>
        <SheetHead
          sheet={sheet.data}
          lines={lines}
          over={over}
          waiting={waiting}
          held={unrecorded.length - waiting}
          isStopped={isStopped}
          onSend={onSend}
          stale={sheet.isFetching}
          onMend={setTarget}
          density={density}
          onDensity={setDensity}
          onBatch={mayAdd ? setBatch : undefined}
          onVoided={onVoided}
        />
        {!over && mayAdd && (
          <RecordBar
            sheet={sheet.data}
            form={form}
            bar={bar}
            pins={pins}
            usual={usual.isError ? none : usual.currentData?.items}
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
            {deleted_at && <span>{t('details.closedAt', { at: format.moment(deleted_at) })}</span>}{' '}
            <Anchor component={Link} to={`/consumption-sheets/closed/${sheetId}`}>
              {t('details.seeClosed')}
            </Anchor>
          </Alert>
        )}
        {mayDecide && Boolean(sheet.data.late_entries) && (
          <Suspense>
            <LateEntries sheet={sheet.data} />
          </Suspense>
        )}
        {Boolean(sheet.data.discharge_proposed_at || sheet.data.admission_cancelled_at) && !closed && (
          <Suspense>
            <DischargeNotice sheet={sheet.data} />
          </Suspense>
        )}
        <ConnectionNotice seen={sheet.data} waiting={waiting} onSend={onSend} />
        <UnrecordedNotice over={over} outbox={outbox} form={form} />
        <VisuallyHidden role="status">
          {[
            told &&
              t(told.what === 'recorded' ? 'details.recorded' : 'details.undoneOf', {
                quantity: format.quantity(told.detail.quantity),
                product: told.detail.product.name,
              }),
            outbox.state.repeats.at(-1)?.text,
          ]
            .filter(Boolean)
            .join(' ')}
        </VisuallyHidden>
        {drawsLines && (
          <DetailsTable
            sheet={sheet.data}
            density={density}
            closed={over}
            list={list}
            outbox={outbox.state}
            changes={changes}
            onUndo={onUndo}
            onRepeat={onRepeat}
            onScan={bar.scan}
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
              usual={usual.isError ? none : usual.currentData?.items}
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
            patientId={sheet.data.patient_id}
            batch={batch}
            recorder={form.values}
            onClose={() => setBatch(null)}
            onRecord={(items, kitId) => {
              setBatch(null);
              outbox.addTogether(items, kitId);
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
      <OthersNotice changes={others} />
    </div>
  );
}
