import { Text } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { onConnectivityChange } from '@/api/connectivity';
import { generatedApi } from '@/api/generated';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import { isAborted, toProblem } from '@/api/problem';
import { serverNow } from '@/api/serverClock';
import { showProblem } from '@/components/forms/useSubmit';
import { settled, unsavedWork } from '@/components/forms/useUnsavedChangesPrompt';
import { detailsOf } from '@/components/sheets/sheetAddresses';
import { useConfirm } from '@/components/ui/Confirm';
import { lazyPart } from '@/components/ui/lazyPart';
import { openDialogs } from '@/components/ui/openDialogs';
import { useText } from '@/i18n/useText';
import { lockForBadge } from '@/session/lockForBadge';
import { useSession } from '@/session/session';
import { useAppDispatch, useAppStore } from '@/storeHooks';
import { destinationName } from './destinationName';
import { keepAtLogin, stopKeeping } from './keepAtLogin';
import { type Destination, type Entry, emptyQueue, type QueueEvent, reduceQueue } from './queue';
import {
  type Answered,
  QueueContext,
  type Scanned,
  type Scanner,
  ScannerContext,
  type ScanPage,
} from './scanPages';
import { giveSignal } from './signals';
import { fromStored, NO_SHEET, recallScans, storeScans } from './storedScans';
import { useScanKeys } from './useScanKeys';

const CodeQuestion = lazyPart(() => import('./CodeQuestion'));
const ScanWaiting = lazyPart(() => import('./ScanWaiting'));

interface Props {
  /** Handles scans that no page handles. */
  onScan: (scan: Answered) => void;
  children: ReactNode;
}

/**
 * Provide the scanner to every page from its first moment on.
 *
 * All that is scanned goes through one queue.
 */
export function ScannerProvider({ onScan, children }: Props) {
  const t = useText();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const { locked, user } = useSession();
  const [state, setState] = useState(emptyQueue);
  const latest = useRef(state);
  const pages = useRef<(() => ScanPage)[]>([]);
  const [hasPages, setHasPages] = useState(false);
  const base: ScanPage = { onScan };
  const page = useCallbackRef(() => pages.current.at(-1)?.() ?? base);
  /** The sheets for which entries are stored, and their keys. */
  const stored = useRef({ sheets: new Set<number>(), keys: new Set<string>() });
  /** The entry whose field's Enter is being pressed. */
  const typing = useRef<string | undefined>(undefined);

  const send = useCallbackRef((event: QueueEvent) => {
    const { state: next, effects } = reduceQueue(latest.current, event);
    if (next !== latest.current) {
      latest.current = next;
      setState(next);
      store();
    }
    for (const effect of effects) {
      if (effect.do === 'lookUp') void lookUp(effect.entry);
      else if (effect.do === 'ask') keys.ask(effect.entry);
      else if (effect.do === 'type') type(effect.key);
      else if (effect.do === 'open') void open(effect.destination);
      else {
        handle(effect.entry);
        hold();
      }
    }
  });

  /** Store what waits: the page's own entries with its drafts, those of other sheets for when they are opened. */
  function store() {
    const { sheetId = null, onQueue } = page();
    const { entries, givenBack } = latest.current;
    const all = [...entries, ...givenBack.flatMap((given) => given.entries)];
    onQueue?.(all.filter((entry) => entry.sheetId === sheetId));
    const others = all.filter((entry) => entry.sheetId === null || entry.sheetId !== sheetId);
    const placeOf = (entry: Entry) => entry.sheetId ?? NO_SHEET;
    const { sheets, keys: known } = stored.current;
    for (const { key } of others) known.add(key);
    const now = new Set(others.map(placeOf));
    for (const place of new Set([...now, ...sheets]))
      if (place !== sheetId && user)
        storeScans(
          user.id,
          place,
          others.filter((entry) => placeOf(entry) === place),
          known,
        );
    stored.current.sheets = now;
  }

  /** Let the field use its text. A line that this enters takes the place of the text. */
  function type(key: string) {
    typing.current = key;
    keys.type(key);
    typing.current = undefined;
    send({ type: 'removed', key });
  }

  function handle(entry: Entry) {
    const { sheetId } = page();
    const target = entry.sheetId === null || entry.sheetId === sheetId ? page() : base;
    if (entry.code === null) return target.onLine?.(entry);
    // A page that was opened later is not the one on which it was scanned.
    const isElsewhere = entry.sheetId === null && sheetId !== undefined;
    (isElsewhere ? base : target).onScan(entry as Answered);
  }

  /** Tell the queue whether something holds it, and let it go on. */
  const hold = useCallbackRef(() =>
    send({ type: 'held', isHeld: locked || openDialogs.holdScans() || page().asksPatient?.() === true }),
  );
  useEffect(() => openDialogs.subscribe(hold), [hold]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each change.
  useEffect(() => hold(), [hold, locked]);
  const userId = user?.id;
  const former = useRef(userId);
  useEffect(() => {
    if (former.current !== userId) send({ type: 'userChanged' });
    former.current = userId;
  }, [userId, send]);

  async function lookUp(entry: Entry) {
    const { key, code, doubt } = entry;
    if (code === null) return;
    const notes = doubt === null && page().notesUnknown === true;
    const { data, error } = await dispatch(
      generatedApi.endpoints.lookUpProduct.initiate(
        { scan: code, onlyTried: notes ? undefined : true },
        { subscribe: false, forceRefetch: true },
      ),
    );
    if (data) {
      // A badge is no product. Its owner takes over the screen.
      const isUnknown = !data.label && data.matches.length + data.people.length === 0;
      if (isUnknown && doubt === null && (await dispatch(lockForBadge(code))))
        return send({ type: 'removed', key });
      return send({ type: 'answered', key, answer: page().prepare?.(data) ?? data });
    }
    if (entry.sheetId !== null || doubt !== null || latest.current.sheetId !== null)
      return send({ type: 'failed', key });
    if (!isAborted(error)) showProblem(toProblem(error));
    send({ type: 'removed', key });
  }

  /** Open a patient's sheet, after one question if that would lose something. */
  async function open(destination: Destination) {
    const { sheetId } = destination;
    if (sheetId === null) return;
    giveSignal('otherPatient');
    const work = unsavedWork();
    if (work || openDialogs.areChanged()) {
      const { patient } = page();
      let isSettled = false;
      const sure = await confirm({
        question: 'scan.leave.question',
        action: 'scan.leave.action',
        danger: true,
        other: work?.settle && {
          action: 'scan.leave.settle',
          run: () => {
            isSettled = true;
            work.settle?.run();
          },
        },
        children: (
          <>
            <Text mb="sm">
              {t(patient ? 'scan.leave.fromTo' : 'scan.leave.to', {
                patient: destinationName(destination),
                here: patient ?? '',
              })}
            </Text>
            {work?.children}
          </>
        ),
      });
      if (!sure) return send({ type: 'stayed', destination });
      if (!isSettled) work?.onLeave();
    }
    openDialogs.closeAll();
    navigate(detailsOf({ id: sheetId }), { state: { ...settled, arrival: destination.person } });
  }

  const add = useCallbackRef((entry: Partial<Entry>, before?: string) => {
    const key = newIdempotencyKey();
    const fresh = { key, at: serverNow().toISOString(), sheetId: page().sheetId ?? null };
    const nothing = { code: null, context: null, answer: null, isFailed: false, isOld: false };
    send({ type: 'ended', entry: { ...fresh, ...nothing, isMoved: false, doubt: null, ...entry }, before });
    return key;
  });

  /** Take over what is in hand, and return the context of the scan. */
  const begin = useCallbackRef((before?: string) => {
    const { line, context } = page().begin?.() ?? { context: null };
    if (line !== undefined) add({ context: line }, before);
    return context;
  });
  const scan = useCallbackRef(({ code, times }: Scanned) => add({ context: begin(), code, times }));
  const keys = useScanKeys({ page, send, add, begin, hasPages });

  /** Tell the queue which page is open, after all of them have come and gone. */
  const onChange = useCallbackRef(() => {
    queueMicrotask(() => {
      const { sheetId = null, isReady = true, takesPatients = false } = page();
      send({ type: 'pageChanged', sheetId, isReady, takesPatients });
      hold();
    });
  });

  const scanner = useMemo<Scanner>(
    () => ({
      add: (newPage) => {
        pages.current.push(newPage);
        setHasPages(true);
        onChange();
        return () => {
          pages.current = pages.current.filter((one) => one !== newPage);
          onChange();
        };
      },
      onChange,
      scan: (scanned) => void scan(scanned),
      enter: (line) => void add({ context: line }, typing.current),
      retry: () => send({ type: 'retried' }),
      restore: (entries) => {
        const { entries: waiting, givenBack: given } = latest.current;
        const all = [...waiting, ...given.flatMap((one) => one.entries)];
        const known = new Set(all.map(({ key }) => key));
        for (const entry of entries) if (!known.has(entry.key)) send({ type: 'ended', entry });
      },
      remove: (key) => send({ type: 'removed', key }),
      goTo: (destination) => send({ type: 'patientChosen', destination }),
      stay: (destination) => send({ type: 'stayed', destination }),
    }),
    [scan, add, onChange, send],
  );
  const appStore = useAppStore();
  const onEnd = useEffectEvent(() => {
    const { sheetId } = latest.current;
    if (former.current !== undefined && appStore.getState().session.token === null)
      keepAtLogin({ userId: former.current, sheetId }, keys.known, keys.known.nameOf);
  });
  useEffect(() => {
    stopKeeping();
    return () => onEnd();
  }, []);
  const restored = useRef(false);
  useEffect(() => {
    if (restored.current || userId === undefined) return;
    restored.current = true;
    const at = serverNow().toISOString();
    scanner.restore(recallScans(userId, NO_SHEET).map((row) => fromStored(row, null, at)));
  }, [userId, scanner]);
  const { entries, givenBack, going } = state;
  const waiting = useMemo(() => ({ entries, givenBack }), [entries, givenBack]);
  const isFailed = entries.some((entry) => entry.isFailed);
  useEffect(() => {
    if (!isFailed) return;
    // The network may be back without the browser's notice: only the server was down, or a proxy.
    const stop = onConnectivityChange((isAnswered) => isAnswered && scanner.retry());
    window.addEventListener('online', scanner.retry);
    return () => {
      stop();
      window.removeEventListener('online', scanner.retry);
    };
  }, [isFailed, scanner]);

  return (
    <ScannerContext value={scanner}>
      <QueueContext value={waiting}>
        {children}
        {((going && entries.length > 0) || givenBack.length > 0) && (
          <Suspense>
            <ScanWaiting
              going={going}
              waiting={entries.length}
              givenBack={givenBack}
              mayUseHere={state.sheetId !== null}
              onStay={scanner.stay}
              onResume={(key, to) => send({ type: 'resumed', key, to })}
            />
          </Suspense>
        )}
        {keys.question && (
          <Suspense>
            <CodeQuestion key={keys.question.code} question={keys.question} onClose={keys.closeQuestion} />
          </Suspense>
        )}
      </QueueContext>
    </ScannerContext>
  );
}
