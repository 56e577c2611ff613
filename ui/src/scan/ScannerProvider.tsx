import { Text } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import {
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { onConnectivityChange } from '@/api/connectivity';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import { isAborted, toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { lockForBadge } from '@/session/lockForBadge';
import { useSession } from '@/session/session';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { openDialogs } from '@/shared/dialogs/openDialogs';
import { showProblem } from '@/shared/forms/useSubmit';
import { settled, unsavedWork } from '@/shared/forms/useUnsavedChangesPrompt';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { lazyPart } from '@/shared/ui/lazyPart';
import { useAppDispatch, useAppStore } from '@/state/storeHooks';
import { destinationName } from './destinationName';
import { keepAtLogin, stopKeeping } from './keepAtLogin';
import { lookUp as lookUpCode } from './lookUp';
import { type Destination, type Entry, emptyQueue, type QueueEffect } from './queue';
import { type Answered, QueueContext, type Scanner, ScannerContext, type ScanPage } from './scanPages';
import { ScanQueue } from './scanQueue';
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
  const pages = useRef<(() => ScanPage)[]>([]);
  const [hasPages, setHasPages] = useState(false);
  const base: ScanPage = { onScan };
  const page = useCallbackRef(() => pages.current.at(-1)?.() ?? base);
  /** The entry whose field's Enter is being pressed. */
  const typing = useRef<string | undefined>(undefined);

  const run = useCallbackRef((effect: QueueEffect) => {
    if (effect.do === 'lookUp') void lookUp(effect.entry);
    else if (effect.do === 'ask') keys.ask(effect.entry);
    else if (effect.do === 'type') type(effect.key);
    else if (effect.do === 'open') void open(effect.destination);
  });
  const isHeld = useCallbackRef(() => locked || openDialogs.holdScans());
  const store = useCallbackRef((place: number, entries: Entry[], known: ReadonlySet<string>) => {
    if (user) storeScans(user.id, place, entries, known);
  });
  const getBase = useCallbackRef(() => base);
  const [queue] = useState(
    () => new ScanQueue({ page, base: getBase, isHeld, run, store, onChange: (next) => setState(next) }),
  );

  /** Let the field use its text. A line that this enters takes the place of the text. */
  function type(key: string) {
    typing.current = key;
    keys.type(key);
    typing.current = undefined;
    queue.send({ type: 'removed', key });
  }

  useEffect(() => openDialogs.subscribe(() => queue.hold()), [queue]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each change.
  useEffect(() => queue.hold(), [queue, locked]);
  const userId = user?.id;
  const former = useRef(userId);
  useEffect(() => {
    if (former.current !== userId) queue.send({ type: 'userChanged' });
    former.current = userId;
  }, [userId, queue]);

  async function lookUp(entry: Entry) {
    const { key, code, doubt } = entry;
    if (code === null) return;
    const notes = doubt === null && page().notesUnknown === true;
    const { data, error } = await dispatch(lookUpCode({ scan: code, onlyTried: notes ? undefined : true }));
    if (data) {
      // A badge is no product. Its owner takes over the screen.
      const isUnknown = !data.label && data.matches.length + data.people.length === 0;
      if (isUnknown && doubt === null && (await dispatch(lockForBadge(code))))
        return queue.send({ type: 'removed', key });
      return queue.send({ type: 'answered', key, answer: page().prepare?.(data) ?? data });
    }
    if (entry.sheetId !== null || doubt !== null || queue.state.sheetId !== null)
      return queue.send({ type: 'failed', key });
    if (!isAborted(error)) showProblem(toProblem(error));
    queue.send({ type: 'removed', key });
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
      if (!sure) return queue.send({ type: 'stayed' });
      if (!isSettled) work?.onLeave();
    }
    openDialogs.closeAll();
    navigate(detailsOf({ id: sheetId }), { state: { ...settled, arrival: destination.person } });
  }

  const { pathname } = useLocation();
  useEffect(() => {
    const { going } = queue.state;
    // A person has opened another page meanwhile.
    if (going && pathname !== detailsOf({ id: going.sheetId ?? 0 })) queue.send({ type: 'stayed' });
  }, [pathname, queue]);

  const keys = useScanKeys({ page, queue, hasPages });

  const scanner = useMemo<Scanner>(() => {
    // All pages have come and gone by then.
    const onChange = () => queueMicrotask(() => queue.changePage());
    return {
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
      scan: ({ code, times }) => void queue.add({ context: queue.begin(), code, times }),
      enter: (line) => void queue.add({ context: line }, typing.current),
      retry: () => queue.send({ type: 'retried' }),
      restore: (entries) => queue.send({ type: 'restored', entries }),
      remove: (key) => queue.send({ type: 'removed', key }),
      goTo: (destination, visit) => queue.send({ type: 'patientChosen', destination, visit }),
      dismiss: (destination, visit) => queue.send({ type: 'dismissed', destination, visit }),
    };
  }, [queue]);
  const appStore = useAppStore();
  const onEnd = useEffectEvent(() => {
    const { sheetId } = queue.state;
    if (former.current !== undefined && appStore.getState().session.token === null)
      keepAtLogin({ userId: former.current, sheetId }, keys.reader, keys.nameOf);
  });
  // Not a key later: the login form takes the focus in the same step.
  useLayoutEffect(() => {
    stopKeeping();
    return () => onEnd();
  }, []);
  const restored = useRef(false);
  useEffect(() => {
    if (restored.current || userId === undefined) return;
    restored.current = true;
    scanner.restore(recallScans(userId, NO_SHEET).map((row) => fromStored(row, null)));
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
              onStay={() => queue.send({ type: 'stayed' })}
              onResume={(key, to) => queue.send({ type: 'resumed', key, to, visit: newIdempotencyKey() })}
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
