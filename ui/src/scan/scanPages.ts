import { createContext, use, useEffect, useEffectEvent } from 'react';
import type { ProductLookupView } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { type Destination, type Entry, emptyQueue, type GivenBack } from './queue';

/** A code from a scanner, the camera or the clipboard. */
export interface Scanned {
  code: string;
  /** The quantity typed before or after it, as in `3×`. */
  times?: Decimal;
}

/** A scan, looked up. */
export type Answered = Entry & { code: string; answer: ProductLookupView };

/** What a page with scans is now. */
export interface PageState {
  /** The sheet on which it records. */
  sheetId?: number;
  /** Whether it can take scans: before that, they wait. */
  isReady?: boolean;
  /** Whether unknown codes are noted for the catalogue. */
  notesUnknown?: boolean;
  /** Whether it handles wristbands itself; otherwise they open their sheet. */
  takesPatients?: boolean;
  /** Name and room of its patient, for the question before leaving. */
  patient?: string;
}

/** A page that handles scans. Only the latest one does. */
export interface ScanPage extends PageState {
  onScan: (scan: Answered) => void;
  /** Take over what is in hand when a text ends: a line entered by hand, and the context of the scan. */
  begin?: () => { line?: unknown; context: unknown };
  /** Handle a line entered by hand, the entry's context, in its turn. */
  onLine?: (entry: Entry) => void;
  /** Change a lookup's answer before it is used. */
  prepare?: (answer: ProductLookupView) => ProductLookupView;
  /** Store the entries that wait for this page. */
  onQueue?: (entries: Entry[]) => void;
  /** Remove what a scan added, if it is not recorded yet: it was only a part of a longer one. */
  takeBack?: (key: string) => void;
  /** Return whether a question about the patient is open on the page. */
  asksPatient?: () => boolean;
  /** What the page would do with the text instead, such as choosing the third item of a list; undefined if nothing. */
  otherMeaning?: (code: string) => { label: string; run: () => void } | undefined;
  /** Save the form before a number is typed. Return a function that restores it, if the number was a scan. */
  remember?: () => () => void;
  /**
   * Keep the line whose Enter waits until it is known whether its quantity is a code. Return a function that records it if
   * another one is in hand by then, and returns whether nothing is left to do.
   */
  keepLine?: () => (() => boolean) | undefined;
  /** Focus the search when typing or a scan begins without a text field. */
  focus?: () => void;
}

export interface Scanner {
  /** Register a page, by a function that returns what it is now. Returns its removal. */
  add: (page: () => ScanPage) => () => void;
  /** Notice that the state of the page has changed. */
  onChange: () => void;
  /** Add a scan to the queue. */
  scan: (scanned: Scanned) => void;
  /** Add a line entered by hand, which must not overtake what was scanned before. */
  enter: (line: unknown) => void;
  /** Look failed scans up again. */
  retry: () => void;
  /** Add scans from before a reload. */
  restore: (entries: Entry[]) => void;
  remove: (key: string) => void;
  /** Open the sheet that was chosen in a question about the patient. */
  goTo: (destination: Destination, visit: string) => void;
  /** Keep what was scanned after a wristband whose question was dismissed, for a person to decide. */
  dismiss: (destination: Destination, visit: string) => void;
}

const unprovided = () => {
  throw new Error('Scans need a ScannerProvider above them.');
};

export const ScannerContext = createContext<Scanner>({
  add: () => () => {},
  onChange: () => {},
  scan: unprovided,
  enter: unprovided,
  retry: unprovided,
  restore: unprovided,
  remove: unprovided,
  goTo: unprovided,
  dismiss: unprovided,
});

export const QueueContext = createContext<{ entries: Entry[]; givenBack: GivenBack[] }>(emptyQueue);

/** Handle the scans on this page, independent of the focus. */
export function useScanPage(page: ScanPage, isOn = true) {
  const { add, onChange } = use(ScannerContext);
  const now = useEffectEvent(() => page);
  useEffect(() => (isOn ? add(() => now()) : undefined), [add, isOn]);
  const { sheetId, isReady } = page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reports each change.
  useEffect(() => onChange(), [onChange, sheetId, isReady]);
}
