import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { HeldKey, loneKeyAction } from '@/shared/ui/singleKeys';
import { type Field, type Knowledge, ScanReader, type Verdict } from '@/symbols/reader';
import { storedProfile } from '@/symbols/scannerProfile';
import { fieldOf, type TextField, writeInto } from './fields';
import type { Entry } from './queue';
import type { ScanPage } from './scanPages';
import type { ScanQueue } from './scanQueue';

/** Silence after which a scan without Enter or Tab is complete, in milliseconds. */
const WITHOUT_SUFFIX_MS = 500;

/** A space behind fewer characters presses a button. */
const MIN_TEXT_LENGTH = 3;

/** Keys that are pressed before another one. */
const MODIFIERS = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta'];

type Catalogue = typeof import('@/device/catalogue');

/** A text that may be a code or the field's value. */
export interface Question {
  code: string;
  /** The name of the field, and whether it is for a number. */
  field: { label: string; isNumber: boolean };
  /** What the page would do with the text, if not what the field's Enter does. */
  other?: string;
  takeCode: () => void;
  takeText: () => void;
  /** Leave the text in its field. */
  leave: () => void;
}

/** A text in a field that waits for a decision. */
interface Doubtful {
  element: TextField;
  field: Field;
  key: string;
  rest: string;
  whole?: string;
  /** Records the line of the time of Enter: see `ScanPage.keepLine`. */
  recordKept?: () => boolean;
}

interface Props {
  page: () => ScanPage;
  queue: ScanQueue;
  /** Whether a page handles scans. The catalogue is then loaded, so that codes are known without waiting. */
  hasPages: boolean;
}

/** Read the keys of the whole page, and put every scan among them into the queue. */
export function useScanKeys({ page, queue, hasPages }: Props) {
  const t = useText();
  const { locked } = useSession();
  const catalogue = useRef<Catalogue | null>(null);
  const [known] = useState<Knowledge & { nameOf: (code: string) => string }>(() => ({
    isCode: (code) => catalogue.current?.isProductCode(code),
    isName: (text) => (catalogue.current?.searchAtOnce(text, 1).length ?? 0) > 0,
    nameOf: (code) => catalogue.current?.searchAtOnce(code, 1)[0]?.name ?? code,
  }));
  const [reader] = useState(() => new ScanReader(known, storedProfile));
  const [question, setQuestion] = useState<Question | null>(null);
  const doubtful = useRef(new Map<string, Doubtful>());
  /** Synthetic key events, to be ignored here, so that a field handles its Enter. */
  const passed = useRef(new WeakSet<Event>());
  const resting = useRef(0);
  const [held] = useState(() => new HeldKey());
  /** The scan that a silence ended, which is taken back if its text goes on. */
  const ended = useRef<string | null>(null);
  /** The values of a number field and its form before the current keys. */
  const memory = useRef<{ value: string; restore: () => void } | null>(null);

  useEffect(() => {
    if (!hasPages) return;
    import('@/device/catalogue').then(
      (loaded) => {
        catalogue.current = loaded;
        loaded.loadIndex();
      },
      () => {},
    );
  }, [hasPages]);

  /** Remove the code from its field. */
  function putBack(element: TextField, rest: string) {
    if (memory.current?.value === rest) memory.current.restore();
    else writeInto(element, rest);
    memory.current = null;
  }

  /** Do what the key would have done. */
  function press(field: HTMLElement, key: string) {
    field.focus();
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    passed.current.add(event);
    const goesOn = field.dispatchEvent(event);
    if (goesOn && key === 'Enter' && field instanceof HTMLInputElement) field.form?.requestSubmit();
  }

  function take(scan: { code: string; times?: Decimal }) {
    const other = page().otherMeaning?.(scan.code);
    if (!other) return queue.add({ ...scan, context: queue.begin() });
    const key = queue.add({ ...scan, doubt: 'ask' });
    setQuestion({
      code: scan.code,
      field: { label: '', isNumber: false },
      other: other.label,
      takeCode: () => queue.send({ type: 'decided', key, isCode: true, context: queue.begin(key) }),
      takeText: () => {
        queue.send({ type: 'removed', key });
        other.run();
      },
      leave: () => queue.send({ type: 'removed', key }),
    });
    return key;
  }

  /** Ask whether the text of a field is a code. */
  function ask({ key, code }: Entry) {
    const doubt = doubtful.current.get(key);
    if (!doubt || code === null) return;
    const { element, field, rest, whole } = doubt;
    const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? '';
    const isCode = (chosen: string, left: string) => {
      doubtful.current.delete(key);
      putBack(element, left);
      element.focus();
      queue.send({ type: 'decided', key, isCode: true, code: chosen, context: queue.begin(key) });
    };
    setQuestion({
      code,
      field: { label, isNumber: field.kind === 'number' && whole === undefined },
      other: whole && t('scan.isWhole', { code: whole }),
      takeCode: () => isCode(code, rest),
      takeText: () =>
        whole === undefined ? queue.send({ type: 'decided', key, isCode: false }) : isCode(whole, ''),
      leave: () => {
        doubtful.current.delete(key);
        queue.send({ type: 'removed', key });
      },
    });
  }

  /** Let the field use its text, if it is still there. */
  function type(key: string) {
    const doubt = doubtful.current.get(key);
    doubtful.current.delete(key);
    if (!doubt?.key || !doubt.element.isConnected || doubt.recordKept?.()) return;
    press(doubt.element, doubt.key);
  }

  /** Take back a part of a scan that was taken for a whole one. */
  function takeBack(key: string) {
    queue.send({ type: 'removed', key });
    page().takeBack?.(key);
  }

  /** Act on the verdict. Return true if the key is handled. */
  function settle(verdict: Verdict, field: Field, key: string): boolean {
    const element = field.kind === 'none' ? null : (field.id as TextField);
    if (verdict.is === 'typed') return false;
    const { code, rest } = verdict;
    if (verdict.is === 'scan') {
      if (element) putBack(element, rest);
      const line = element?.closest('[data-row]');
      const { times } = verdict;
      if (verdict.isWhole && ended.current) takeBack(ended.current);
      // A quantity that was typed at a line is set by leaving its field.
      if (line && element)
        queueMicrotask(() => {
          element.blur();
          page().focus?.();
          queue.add({ code, times, context: queue.begin() });
        });
      else if (field.kind === 'bar') ended.current = take({ code, times });
      else ended.current = queue.add({ code, times, context: queue.begin() });
      return true;
    }
    // Tab leaves a text field at once: a key event of ours could not move the focus.
    const leaves = verdict.is !== 'ask' && key === 'Tab' && field.kind !== 'number';
    if (!element) {
      // Nothing was typed into a field: the whole text is asked about.
      queue.add({ code: verdict.is === 'ask' ? (verdict.whole ?? code) : code, context: queue.begin() });
      return true;
    }
    const whole = verdict.is === 'ask' ? verdict.whole : undefined;
    const entry = newIdempotencyKey();
    const recordKept = key === 'Enter' && field.kind === 'number' ? page().keepLine?.() : undefined;
    doubtful.current.set(entry, { element, field, key: leaves ? '' : key, rest, whole, recordKept });
    queue.add({ key: entry, code, doubt: verdict.is });
    return !leaves;
  }

  /** Hold a key that does something alone, until it is known whether a text follows. */
  function hold(event: KeyboardEvent, character: string): boolean {
    const { target, altKey, repeat } = event;
    const isFirst = reader.text === character && !altKey && !repeat;
    const run = isFirst && target instanceof Element ? loneKeyAction(character, target) : undefined;
    if (!run) return false;
    suppress(event);
    held.hold(character, () => {
      reader.clear();
      run();
    });
    return true;
  }

  /** Type the held key into the search: the next key shows that it begins a text. */
  function typeHeld(event: KeyboardEvent) {
    const character = held.letGo();
    page().focus?.();
    const field = fieldOf(document.activeElement ?? document.body);
    if (!field || field.kind === 'none') return;
    writeInto(field.id as TextField, field.value + character);
    event.stopPropagation();
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (passed.current.has(event) || event.isComposing) return;
    const isAfterHeld = held.isHeld;
    if (isAfterHeld && MODIFIERS.includes(event.key)) return;
    window.clearTimeout(resting.current);
    if (isAfterHeld) typeHeld(event);
    const field = fieldOf(isAfterHeld ? document.activeElement : event.target);
    if (!field || locked) return reader.clear();
    const { key } = event;
    if (key === 'Enter' || key === 'Tab') {
      if (event.repeat || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
      if (settle(reader.end(field), field, key)) suppress(event);
      return;
    }
    if (field.kind === 'number' && reader.text === '') {
      const restore = page().remember?.();
      memory.current = restore ? { value: field.value, restore } : null;
    }
    const isInText = field.kind === 'none' && reader.text.length >= MIN_TEXT_LENGTH;
    const character = reader.press(event, field);
    if (character === null) return;
    if (field.kind === 'none' && hold(event, character)) return;
    if (field.kind === 'none') goToBar(event, character, isInText);
    resting.current = window.setTimeout(() => {
      const now = fieldOf(document.activeElement ?? document.body);
      if (now) settle(reader.rest(now), now, '');
    }, WITHOUT_SUFFIX_MS);
  });

  /** Move typing without a text field into the page's product search. */
  function goToBar(event: KeyboardEvent, character: string, isInText: boolean) {
    // A space presses a button.
    if (character === ' ') {
      if (isInText) suppress(event);
      else reader.clear();
      return;
    }
    const { focus } = page();
    const isAside = event.target instanceof Element && event.target.closest('select');
    // A menu takes the focus a moment after it opens, and must not take it between the keys of a scan.
    const isBehind = document.querySelector('[role="dialog"], [role="menu"]');
    if (!focus || isAside || isBehind || /^[?/]$/.test(character)) return;
    focus();
    event.stopPropagation();
  }

  useLayoutEffect(() => {
    const onPress = (event: KeyboardEvent) => onKey(event);
    const clear = () => {
      held.letGo();
      reader.clear();
    };
    document.addEventListener('keydown', onPress, { capture: true });
    document.addEventListener('pointerdown', clear, { capture: true });
    return () => {
      document.removeEventListener('keydown', onPress, { capture: true });
      document.removeEventListener('pointerdown', clear, { capture: true });
      window.clearTimeout(resting.current);
      held.letGo();
    };
  }, [reader, held]);

  return { question, closeQuestion: () => setQuestion(null), ask, type, reader, nameOf: known.nameOf };
}

function suppress(event: KeyboardEvent) {
  event.preventDefault();
  event.stopPropagation();
}
