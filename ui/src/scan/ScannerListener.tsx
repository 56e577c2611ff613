import { lazy, type RefObject, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { generatedApi } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { useSession } from '@/session/session';
import { useAppDispatch } from '@/storeHooks';
import { fieldOf, type TextField, writeInto } from './fields';
import { type Field, KeyboardScanner, type Verdict } from './keyboard';
import type { ScanHandler, Scanned } from './scanHandlers';

const CodeQuestion = lazy(() => import('./CodeQuestion'));

/** Silence after which a scan without Enter or Tab is complete, in milliseconds. */
const WITHOUT_SUFFIX = 500;

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
}

interface Props {
  /** The handlers of the pages, the latest last. */
  handlers: RefObject<ScanHandler[]>;
  /** Whether there are any. The catalogue is then loaded, so that codes are known without waiting. */
  hasHandlers: boolean;
  /** Receives scans that no page handles. */
  onScan: (scanned: Scanned) => void;
}

/** Listen for scans in every field, and pass their codes to the page. */
export default function ScannerListener({ handlers, hasHandlers, onScan }: Props) {
  const dispatch = useAppDispatch();
  const { locked } = useSession();
  const catalogue = useRef<Catalogue | null>(null);
  const [scanner] = useState(() => new KeyboardScanner((code) => catalogue.current?.isProductCode(code)));
  const [question, setQuestion] = useState<Question | null>(null);
  /** Synthetic key events, to be ignored here, so that a field handles its Enter. */
  const passed = useRef(new WeakSet<Event>());
  const resting = useRef(0);
  /** The values of a number field and its form before the current keys. */
  const memory = useRef<{ value: string; restore: () => void } | null>(null);

  useEffect(() => {
    if (!hasHandlers) return;
    import('@/device/catalogue').then(
      (loaded) => {
        catalogue.current = loaded;
        loaded.loadIndex();
      },
      () => {},
    );
  }, [hasHandlers]);

  /** Remove the code from its field. */
  function putBack(element: TextField, rest: string) {
    if (memory.current?.value === rest) memory.current.restore();
    else writeInto(element, rest);
    memory.current = null;
  }

  function give(scanned: Scanned) {
    const handler = handlers.current.at(-1);
    if (handler) handler.onScan(scanned);
    else onScan(scanned);
  }

  /** Do what the key would have done. */
  function press(field: HTMLElement, key: string) {
    field.focus();
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    passed.current.add(event);
    const goesOn = field.dispatchEvent(event);
    if (goesOn && key === 'Enter' && field instanceof HTMLInputElement) field.form?.requestSubmit();
  }

  function ask(
    element: TextField,
    key: string,
    { code, rest }: { code: string; rest: string },
    isNumber: boolean,
  ) {
    const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? '';
    setQuestion({
      code,
      field: { label, isNumber },
      takeCode() {
        putBack(element, rest);
        element.focus();
        give({ code });
      },
      takeText: () => press(element, key),
    });
  }

  function askMeaning(scanned: Scanned, other: { label: string; run: () => void }) {
    setQuestion({
      code: scanned.code,
      field: { label: '', isNumber: false },
      other: other.label,
      takeCode: () => give(scanned),
      takeText: other.run,
    });
  }

  async function lookUp(
    element: TextField,
    key: string,
    verdict: { code: string; rest: string; times?: Decimal },
    field: Field,
  ) {
    const { data } = await dispatch(
      generatedApi.endpoints.lookUpProduct.initiate(
        { scan: verdict.code, onlyTried: true },
        { subscribe: false, forceRefetch: true },
      ),
    );
    const isCode = (data?.matches.length ?? 0) + (data?.people.length ?? 0) > 0;
    if (!isCode) return key === '' ? undefined : press(element, key);
    if (field.kind === 'number') return ask(element, key, verdict, true);
    putBack(element, verdict.rest);
    give({ code: verdict.code, times: verdict.times });
  }

  /** Act on the verdict. Return true if the key is handled. */
  function settle(verdict: Verdict, field: Field, key: string): boolean {
    const element = field.kind === 'none' ? null : (field.id as TextField);
    switch (verdict.is) {
      case 'nothing':
        return false;
      case 'scan': {
        if (element) putBack(element, verdict.rest);
        const other =
          field.kind === 'bar' ? handlers.current.at(-1)?.otherMeaning?.(verdict.code) : undefined;
        if (other) askMeaning(verdict, other);
        else give(verdict);
        return true;
      }
      case 'question':
        if (element) ask(element, key, verdict, field.kind === 'number');
        return true;
      case 'unclear': {
        // Tab leaves a text field at once: a key event of ours could not move the focus.
        const leaves = field.kind === 'text' && key === 'Tab';
        if (element) void lookUp(element, leaves ? '' : key, verdict, field);
        return !leaves;
      }
    }
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (passed.current.has(event) || event.isComposing) return;
    window.clearTimeout(resting.current);
    const field = fieldOf(event.target);
    if (!field || locked) return scanner.clear();
    const { key, timeStamp } = event;
    if (key === 'Enter' || key === 'Tab') {
      if (event.repeat || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
      if (settle(scanner.end(field, timeStamp), field, key)) suppress(event);
      return;
    }
    if (field.kind === 'number' && scanner.length === 0) {
      const restore = handlers.current.at(-1)?.remember?.();
      memory.current = restore ? { value: field.value, restore } : null;
    }
    const isInScan = field.kind === 'none' && scanner.length > 0 && scanner.isQuick;
    const character = scanner.press(event, field);
    if (character === null) return;
    if (field.kind === 'none') goToBar(event, character, isInScan);
    if (!scanner.isQuick) return;
    resting.current = window.setTimeout(() => {
      const now = fieldOf(event.target);
      if (now) settle(scanner.end(now, timeStamp), now, '');
    }, WITHOUT_SUFFIX);
  });

  /** Move typing without a text field into the page's product search. */
  function goToBar(event: KeyboardEvent, character: string, isInScan: boolean) {
    // A space presses a button.
    if (character === ' ') {
      if (isInScan) suppress(event);
      else scanner.clear();
      return;
    }
    const handler = handlers.current.at(-1);
    const isAside =
      event.target instanceof Element && event.target.closest('[role="dialog"], [role="menu"], select');
    if (!handler?.focus || isAside || /^[?/]$/.test(character) || document.querySelector('[role="dialog"]'))
      return;
    handler.focus();
    event.stopPropagation();
  }

  useEffect(() => {
    const press = (event: KeyboardEvent) => onKey(event);
    const clear = () => scanner.clear();
    document.addEventListener('keydown', press, { capture: true });
    document.addEventListener('pointerdown', clear, { capture: true });
    return () => {
      document.removeEventListener('keydown', press, { capture: true });
      document.removeEventListener('pointerdown', clear, { capture: true });
      window.clearTimeout(resting.current);
    };
  }, [scanner]);

  return (
    question && (
      <Suspense>
        <CodeQuestion key={question.code} question={question} onClose={() => setQuestion(null)} />
      </Suspense>
    )
  );
}

function suppress(event: KeyboardEvent) {
  event.preventDefault();
  event.stopPropagation();
}
