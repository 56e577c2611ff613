import type { ProductLookupView } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { type Person, sheetsOf } from './wristbands';

/*
 * The queue of everything that is scanned, as a pure reducer.
 *
 * Entries are handled in the order of their ends, however late the answers arrive. An entry belongs to the sheet to
 * which the entries before it lead: a wristband changes the sheet of all that follow it on the same visit, and they wait
 * until its page is open. While a question about the patient is open, nothing is handled.
 */

export interface Entry {
  key: string;
  /** The sheet on which it is used; null for none. */
  sheetId: number | null;
  /** Null for a line that was entered by hand. */
  code: string | null;
  times?: Decimal;
  /** When it ended. */
  at: string;
  /** What the page needs to handle it, such as the area, or the line entered by hand. */
  context: unknown;
  answer: ProductLookupView | null;
  /** Whether the lookup got no answer. */
  isFailed: boolean;
  /** The visit of a page on which it ended: a wristband leads what ended after it on the same visit. */
  visit: string;
  /** Whether it is older than the open page, or than a reload: a person decides about it. */
  isOld: boolean;
  /** Whether it is for another sheet than the one on which it was scanned, so that the context does not apply. */
  isMoved: boolean;
  /**
   * `ask`: a person decides whether it is a code; `perhaps`: only if the lookup knows it; `person`: it is one if it finds
   * a patient; `typed`: it is none.
   */
  doubt: 'ask' | 'perhaps' | 'person' | 'typed' | null;
}

/** A patient to whose sheet a wristband leads. */
export interface Destination {
  sheetId: number | null;
  person: Person;
}

/** Entries for a patient whose sheet was not opened. Of a line from before a reload, the patient is not known. */
export interface GivenBack {
  key: string;
  sheetId: number | null;
  person: Person | null;
  entries: Entry[];
}

export interface QueueState {
  entries: Entry[];
  /** The sheet whose page is open; null for another page. */
  sheetId: number | null;
  /** The present visit: another one begins when a person opens a page. */
  visit: string;
  /** Whether the page can take entries. */
  isReady: boolean;
  /** Whether the page handles wristbands itself, as a paper form does. */
  takesPatients: boolean;
  /** Whether a question is open on which the next entries depend. */
  isHeld: boolean;
  /** The patient whose page is being opened. */
  going: Destination | null;
  givenBack: GivenBack[];
}

export type QueueEvent =
  /** `before`: the entry in whose place it is. */
  | { type: 'ended'; entry: Entry; before?: string }
  /** Entries from before a reload, or of the sheet that is being opened: they were scanned before all others. */
  | { type: 'restored'; entries: Entry[] }
  | { type: 'answered'; key: string; answer: ProductLookupView }
  | { type: 'failed'; key: string }
  | { type: 'retried' }
  /** A person decided what a text is: a code, another code, or the field's text. */
  | { type: 'decided'; key: string; isCode: boolean; code?: string; context?: unknown }
  | { type: 'removed'; key: string }
  /** `visit` names the visit, if one begins. */
  | { type: 'pageChanged'; sheetId: number | null; isReady: boolean; takesPatients: boolean; visit: string }
  | { type: 'held'; isHeld: boolean }
  /** The page asks about the patient: a wristband with several open sheets, or with none. */
  | { type: 'patientChosen'; destination: Destination; visit: string }
  /** The question about the patient was dismissed: what followed the wristband waits for a person. */
  | { type: 'dismissed'; destination: Destination; visit: string }
  /** The patient's page is not opened: what waits for it waits for a person. */
  | { type: 'stayed' }
  /**
   * What to do with entries that were given back: open their patient's page, use them here, or drop them.
   *
   * `visit` names the visit, if one begins.
   */
  | { type: 'resumed'; key: string; to: 'patient' | 'here' | 'nowhere'; visit: string }
  /** Another person uses the device. What waits stays in the drafts of the former one. */
  | { type: 'userChanged' };

export type QueueEffect =
  | { do: 'lookUp'; entry: Entry }
  /** Hand the entry to the page. */
  | { do: 'handle'; entry: Entry }
  /** Ask what the text is. */
  | { do: 'ask'; entry: Entry }
  /** Use the text as its field does, and then remove the entry. */
  | { do: 'type'; key: string }
  | { do: 'open'; destination: Destination };

export const emptyQueue: QueueState = {
  entries: [],
  sheetId: null,
  visit: '',
  isReady: true,
  takesPatients: false,
  isHeld: false,
  going: null,
  givenBack: [],
};

/** Return the entries that wait, also those that were given back. */
export const waitingIn = ({ entries, givenBack }: Pick<QueueState, 'entries' | 'givenBack'>) => [
  ...entries,
  ...givenBack.flatMap((given) => given.entries),
];

/** Return the next state and one list of side effects, at most one of which is `handle`: the page may hold the rest. */
export function reduceQueue(
  state: QueueState,
  event: QueueEvent,
): { state: QueueState; effects: QueueEffect[] } {
  const effects: QueueEffect[] = [];
  const next = settle(apply(state, event, effects), effects);
  return { state: next, effects };
}

function apply(state: QueueState, event: QueueEvent, effects: QueueEffect[]): QueueState {
  const { entries } = state;
  // Also what was given back: its lookup may end later.
  const change = (key: string, part: Partial<Entry>) => {
    const changed = (entry: Entry) => (entry.key === key ? { ...entry, ...part } : entry);
    const givenBack = state.givenBack.map((given) => ({ ...given, entries: given.entries.map(changed) }));
    return { ...state, entries: entries.map(changed), givenBack };
  };
  switch (event.type) {
    case 'ended': {
      // While a lookup is failed, later ones wait for the retry, too.
      const isFailed = event.entry.code !== null && entries.some((entry) => entry.isFailed);
      const place = entries.findIndex(({ key }) => key === event.before);
      const { sheetId, visit } = entries[place] ?? {
        sheetId: state.going ? state.going.sheetId : event.entry.sheetId,
        visit: state.visit,
      };
      const entry = { ...event.entry, sheetId, visit, isFailed };
      if (entry.code !== null && !isFailed) effects.push({ do: 'lookUp', entry });
      if (entry.doubt === 'ask') effects.push({ do: 'ask', entry });
      return { ...state, entries: entries.toSpliced(place < 0 ? entries.length : place, 0, entry) };
    }
    case 'restored': {
      const known = new Set(waitingIn(state).map(({ key }) => key));
      const isFailed = entries.some((entry) => entry.isFailed);
      const old = event.entries
        .filter(({ key }) => !known.has(key))
        .map((entry) => ({ ...entry, isFailed: isFailed && entry.code !== null }));
      for (const entry of old) if (entry.code !== null && !isFailed) effects.push({ do: 'lookUp', entry });
      // A line entered by hand behind a question about the patient belongs to no sheet: a person decides about it.
      const isLost = ({ code, sheetId }: Entry) => code === null && sheetId === null;
      const lines = old.filter(isLost).map((entry) => ({
        key: entry.key,
        sheetId: null,
        person: null,
        entries: [entry],
      }));
      return {
        ...state,
        entries: [...old.filter((entry) => !isLost(entry)), ...entries],
        givenBack: [...state.givenBack, ...lines],
      };
    }
    case 'answered':
      return change(event.key, { answer: event.answer, isFailed: false });
    case 'failed':
      return change(event.key, { isFailed: true });
    case 'retried':
      for (const entry of entries) if (entry.isFailed) effects.push({ do: 'lookUp', entry });
      return { ...state, entries: entries.map((entry) => ({ ...entry, isFailed: false })) };
    case 'decided': {
      const { key, isCode, context } = event;
      if (!isCode) {
        effects.push({ do: 'type', key });
        return change(key, { doubt: 'typed' });
      }
      const entry = entries.find((one) => one.key === key);
      const code = event.code ?? entry?.code ?? null;
      const isSame = code === entry?.code;
      if (entry && !isSame) effects.push({ do: 'lookUp', entry: { ...entry, code, doubt: null } });
      return change(key, { code, context, doubt: null, ...(isSame ? {} : { answer: null }) });
    }
    case 'removed': {
      const givenBack = state.givenBack
        .map((given) => ({ ...given, entries: given.entries.filter(({ key }) => key !== event.key) }))
        .filter((given) => given.entries.length > 0);
      return { ...without(state, event.key), givenBack };
    }
    case 'pageChanged': {
      const { sheetId, isReady, takesPatients } = event;
      const isSame = sheetId === state.sheetId && isReady === state.isReady;
      if (isSame && takesPatients === state.takesPatients && !state.going) return state;
      // What was scanned for a page that was left stays in its drafts.
      const isHere = (entry: Entry) => [null, sheetId, state.going?.sheetId].includes(entry.sheetId);
      // A person has opened this sheet after the scan.
      const isLate = (entry: Entry) => sheetId !== null && entry.sheetId === null;
      const kept = entries.filter(isHere).map((entry) => (isLate(entry) ? { ...entry, isOld: true } : entry));
      const moved = { ...state, sheetId, isReady, takesPatients, entries: kept };
      if (sheetId === state.sheetId) return moved;
      if (state.going === null) return { ...moved, visit: event.visit };
      // The page that was left is no longer there, and the other one is not there yet.
      if (sheetId === null) return moved;
      return sheetId === state.going.sheetId
        ? { ...moved, going: null }
        : { ...stay(moved), visit: event.visit };
    }
    case 'held':
      return state.isHeld === event.isHeld ? state : { ...state, isHeld: event.isHeld };
    case 'patientChosen':
      return go(state, event.destination, effects, followersOf(event.visit));
    case 'dismissed':
      return giveBack(
        { ...state, isHeld: false },
        event.destination,
        // A wristband behind it may be opening its page already.
        (entry) => entry.visit === event.visit && entry.sheetId !== state.going?.sheetId,
      );
    case 'stayed':
      return stay({ ...state, isHeld: false });
    case 'resumed': {
      const given = state.givenBack.find(({ key }) => key === event.key);
      const rest = { ...state, givenBack: state.givenBack.filter((one) => one !== given) };
      if (!given || event.to === 'nowhere') return rest;
      const sheetId = event.to === 'here' ? state.sheetId : given.sheetId;
      const first = given.entries.map((entry) => ({ ...entry, sheetId, isMoved: true, isOld: false }));
      const resumed = { ...rest, entries: [...first, ...entries] };
      const { person } = given;
      return event.to === 'here' || sheetId === state.sheetId || person === null
        ? resumed
        : go({ ...resumed, visit: event.visit }, { sheetId, person }, effects, (entry) =>
            first.includes(entry),
          );
    }
    case 'userChanged':
      return { ...state, entries: [], givenBack: [], going: null };
  }
}

/** Handle the first entry, unless it has to wait. */
function settle(state: QueueState, effects: QueueEffect[]): QueueState {
  const [entry] = state.entries;
  if (!entry || state.going !== null) return state;
  if (entry.code === null) return isBlocked(state) ? state : handle(state, entry, effects);
  const mayBeTyped = entry.doubt === 'perhaps' || entry.doubt === 'person';
  if (mayBeTyped && (entry.isFailed || (entry.answer && !isKnown(entry.answer, entry.doubt)))) {
    return withFirst(state, { ...entry, doubt: 'typed' }, effects, { do: 'type', key: entry.key });
  }
  if (entry.doubt === 'typed' || entry.doubt === 'ask' || !entry.answer) return state;
  if (entry.doubt === 'perhaps') {
    const asked = { ...entry, doubt: 'ask' as const };
    return withFirst(state, asked, effects, { do: 'ask', entry: asked });
  }
  const destination = state.takesPatients ? null : destinationOf(entry.answer);
  if (!destination) return isBlocked(state) ? state : handle(state, entry, effects);
  const { sheetId } = state;
  const left = without(state, entry.key);
  const isFollower = followersOf(entry.visit);
  // A wristband acts under a question, too: it closes it, or asks.
  const isOther = destination.sheetId !== sheetId;
  // From before the page was opened, it opens no other.
  if (isOther && (entry.visit === state.visit || sheetId === null))
    return go(left, destination, effects, isFollower);
  if (isOther && left.entries.some(isFollower))
    return settle(giveBack(left, destination, isFollower), effects);
  if (isBlocked(state)) return state;
  // What was scanned elsewhere behind this patient's wristband is for this page.
  const here = left.entries.map((one) =>
    isFollower(one) && entry.sheetId === null ? { ...one, sheetId, isMoved: true } : one,
  );
  return handle({ ...left, entries: here }, { ...entry, sheetId }, effects);
}

/** Replace the first entry. */
function withFirst(state: QueueState, first: Entry, effects: QueueEffect[], effect: QueueEffect): QueueState {
  effects.push(effect);
  return { ...state, entries: [first, ...state.entries.slice(1)] };
}

const isBlocked = ({ isHeld, isReady }: QueueState) => isHeld || !isReady;

function handle(state: QueueState, entry: Entry, effects: QueueEffect[]): QueueState {
  effects.push({ do: 'handle', entry });
  return without(state, entry.key);
}

type Choice = (entry: Entry) => boolean;

/** Open a patient's sheet. The chosen entries are for that sheet, and wait for its page. */
function go(
  state: QueueState,
  destination: Destination,
  effects: QueueEffect[],
  isChosen: Choice,
): QueueState {
  const { sheetId } = destination;
  effects.push({ do: 'open', destination });
  const from = state.going?.sheetId === sheetId ? state : stay(state);
  const entries = from.entries.map((entry) =>
    isChosen(entry) ? { ...entry, sheetId, isMoved: true } : entry,
  );
  return { ...from, going: destination, entries };
}

/** Give back what waits for the page that is being opened, and stay. */
function stay(state: QueueState): QueueState {
  const { going } = state;
  if (!going) return state;
  const given = giveBack(state, going, ({ sheetId }) => sheetId === going.sheetId);
  return { ...given, going: null };
}

/** Set the chosen entries aside for a person to decide, by name. They leave their visit: nothing else follows them. */
function giveBack(state: QueueState, { sheetId, person }: Destination, isChosen: Choice): QueueState {
  const [first] = state.entries.filter(isChosen);
  if (!first) return state;
  const { key } = first;
  const entries = state.entries
    .filter(isChosen)
    .map((entry) => ({ ...entry, sheetId, visit: key, isMoved: true }));
  return {
    ...state,
    entries: state.entries.filter((entry) => !isChosen(entry)),
    givenBack: [...state.givenBack, { key, sheetId, person, entries }],
  };
}

/** Return which of the entries behind a wristband follow it. */
const followersOf = (visit: string) => (entry: Entry) => entry.visit === visit;

const without = (state: QueueState, key: string): QueueState => ({
  ...state,
  entries: state.entries.filter((entry) => entry.key !== key),
});

/** Return the only open sheet of a wristband's patient. */
function destinationOf({ matches, people }: ProductLookupView): Destination | null {
  const sheets = matches.length > 0 ? [] : sheetsOf(people);
  const [only] = sheets;
  return only && sheets.length === 1 ? { sheetId: only.id, person: only.person } : null;
}

/** Return whether the lookup knows the code, or as a patient's number. */
const isKnown = ({ matches, people, label }: ProductLookupView, doubt: Entry['doubt']) =>
  doubt === 'person' ? people.length > 0 : matches.length + people.length > 0 || Boolean(label);
