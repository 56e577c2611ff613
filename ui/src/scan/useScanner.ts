import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  isSeparatorKey,
  type KeyKind,
  MIN_SCAN_LENGTH,
  ScanDetector,
  SHORT_WITHOUT_SUFFIX,
} from './scanDetector';

/** Whoever has not gone on by then was no scanner. */
const DECIDED = 400;
/** So long after its last character a code is whole that no Enter or Tab ended. */
const WITHOUT_SUFFIX = 500;

interface Listening {
  /** Where scans belong. From within an element with `data-own-keys` they are left to what is there. */
  form: RefObject<HTMLElement | null>;
  /** Called before the first key of what may be a scan; what it answers puts everything back. */
  remember: () => () => void;
  onScan: (raw: string) => void;
  /** What was begun came from a person. */
  onTyped: () => void;
  /** A key that belongs to no scan, as far as one can tell by then. */
  onKey: (event: KeyboardEvent, kind: KeyKind) => void;
  /** A separator that no field takes, outside of a burst: a scanner too slow to be known by its pace. */
  onSeparator: (separator: string) => void;
}

/**
 * Hears a scanner, whichever field of the form has the focus, and where none of the page has it. Its keys do nothing
 * else, the Enter or Tab at the end included: that one never records.
 */
export function useScanner({ form, remember, onScan, onTyped, onKey, onSeparator }: Listening) {
  const [detector] = useState(() => new ScanDetector());
  /** What was scanned and is not given away yet. */
  const code = useRef('');
  const putBack = useRef(() => {});
  const ending = useRef(0);
  const short = useRef(0);
  const undecided = useRef<{ promise: Promise<void>; resolve: () => void; timer: number } | null>(null);

  function decide() {
    const { resolve, timer } = undecided.current ?? {};
    undecided.current = null;
    window.clearTimeout(timer);
    resolve?.();
  }

  const byPerson = useEffectEvent(() => {
    if (!undecided.current) return;
    putBack.current = () => {};
    onTyped();
    decide();
  });

  const give = useEffectEvent(() => {
    window.clearTimeout(ending.current);
    const raw = code.current;
    code.current = '';
    detector.end();
    if (raw) onScan(raw);
  });

  /** A code that is too short to be known by its pace before it ends. */
  const giveShort = useEffectEvent(() => {
    code.current = detector.text;
    decide();
    putBack.current();
    give();
  });

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!belongs(event.target, form.current)) return;
    window.clearTimeout(short.current);
    const ends = event.key === 'Enter' || event.key === 'Tab';
    if (detector.isSuffix(event) || (ends && code.current)) {
      swallow(event);
      give();
      return;
    }
    if (detector.endsShortScan(event)) {
      swallow(event);
      giveShort();
      return;
    }
    const kind = detector.press(event);
    if (kind === 'scanned') {
      swallow(event);
      if (!code.current) {
        decide();
        putBack.current();
      }
      code.current = detector.text;
      window.clearTimeout(ending.current);
      ending.current = window.setTimeout(give, WITHOUT_SUFFIX);
      return;
    }
    if (kind === 'first') {
      if (code.current) {
        const next = detector.text;
        give();
        detector.text = next;
      }
      byPerson();
      putBack.current = remember();
      let resolve = () => {};
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      undecided.current = { promise, resolve, timer: window.setTimeout(byPerson, DECIDED) };
    }
    if (kind === 'typed' && undecided.current) {
      // By the time stamps of so many keys it would be known.
      if (detector.text.length >= MIN_SCAN_LENGTH) byPerson();
      else {
        window.clearTimeout(undecided.current.timer);
        undecided.current.timer = window.setTimeout(byPerson, DECIDED);
      }
    }
    if (kind === 'typed' && detector.isQuick && isForNumbers(event.target))
      short.current = window.setTimeout(giveShort, SHORT_WITHOUT_SUFFIX);
    if (isSeparatorKey(event)) {
      event.preventDefault();
      onSeparator(detector.text.slice(-1));
    }
    onKey(event, kind);
  });

  useEffect(() => {
    const onPress = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onPress, { capture: true });
    return () => {
      document.removeEventListener('keydown', onPress, { capture: true });
      window.clearTimeout(ending.current);
      window.clearTimeout(short.current);
      window.clearTimeout(undecided.current?.timer);
    };
  }, []);

  /** Until it is known whether what was begun is a scan: what would change the form waits so long. */
  return async () => {
    while (undecided.current) await undecided.current.promise;
  };
}

function belongs(target: EventTarget | null, form: HTMLElement | null) {
  if (!form || !(target instanceof Element)) return false;
  if (form.contains(target)) return !target.closest('[data-own-keys]');
  const isFree = !target.closest('input, textarea, select, [contenteditable]');
  return isFree && !document.querySelector('[role="dialog"], [role="menu"]');
}

const isForNumbers = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && target.inputMode === 'decimal';

function swallow(event: KeyboardEvent) {
  event.preventDefault();
  event.stopPropagation();
}
