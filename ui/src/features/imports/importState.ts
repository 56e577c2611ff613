import type { FileReading, ImportReport, ReadFileApiArg } from '@/api/generated';
import type { Progress } from '@/api/upload';
import type { MessageId } from '@/i18n/language';
import type { SearchableRow } from './importRows';

export type Choices = Omit<ReadFileApiArg, 'body' | 'mapping'> & { mapping: Record<string, string> };

/** What the file would do, or did, and to which of its rows; `leftOut` are the lines that it was told to leave out. */
export interface ImportResult {
  report: ImportReport;
  rows: SearchableRow[];
  leftOut: ReadonlySet<number>;
}

/** What is asked of the server. */
export type Step =
  | { doing: 'reading'; file: File; choices: Choices }
  | { doing: 'checking' }
  | { doing: 'importing'; goodRows: boolean };

/** An import from choosing the file to the end. */
export interface ImportState {
  file: File | null;
  choices: Choices;
  /** How it is read, with what is asked. */
  reading: FileReading | null;
  /** Whether it was found out what the rows are. */
  guessed: boolean;
  /** What it would do, until something is chosen otherwise. */
  checked: ImportResult | null;
  /** The lines whose rows are not wanted. */
  leftOut: ReadonlySet<number>;
  /** What it did. */
  done: ImportResult | null;
  problems: string[];
  /** What else there is to know of it. */
  notice: MessageId | null;
  doing: Step['doing'] | null;
  progress: Progress | null;
  /** What can be tried once more. */
  again: Step | null;
}

export const NO_CHOICES: Choices = { mapping: {} };
const NONE: ReadonlySet<number> = new Set();

export const NOTHING: ImportState = {
  file: null,
  choices: NO_CHOICES,
  reading: null,
  guessed: true,
  checked: null,
  leftOut: NONE,
  done: null,
  problems: [],
  notice: null,
  doing: null,
  progress: null,
  again: null,
};

export type ImportEvent =
  | { type: 'startedOver' }
  | { type: 'chosen'; file: File }
  /** The page itself has something against it. */
  | { type: 'objected'; problem: string }
  | { type: 'begun'; doing: Step['doing'] }
  | { type: 'progressed'; progress: Progress }
  | { type: 'failed'; problems: string[]; again: Step | null }
  /** Answered, failed or given up. */
  | { type: 'ended' }
  | { type: 'read'; reading: FileReading | null; choices: Choices }
  | { type: 'checked'; result: ImportResult }
  | { type: 'imported'; result: ImportResult }
  | { type: 'leftOut'; lines: number[]; out: boolean }
  /** Those are left out again that were when it was checked. */
  | { type: 'leftOutAsChecked' };

export function importReducer(state: ImportState, event: ImportEvent): ImportState {
  switch (event.type) {
    case 'startedOver':
      return NOTHING;
    case 'chosen':
      return { ...state, file: event.file };
    case 'objected':
      return { ...state, problems: [event.problem] };
    case 'begun':
      return { ...state, doing: event.doing, problems: [], notice: null, again: null, progress: null };
    case 'progressed':
      return { ...state, progress: event.progress };
    case 'failed':
      return { ...state, problems: event.problems, again: event.again };
    case 'ended':
      return { ...state, doing: null };
    case 'read': {
      const { reading, choices } = event;
      const guessed = choices.noun === undefined || (state.guessed && choices.noun === state.choices.noun);
      return {
        ...state,
        reading,
        guessed,
        // What was found out stays found out, whatever else is chosen.
        choices: { ...choices, noun: reading?.noun },
        checked: null,
        leftOut: NONE,
      };
    }
    case 'checked':
      return { ...state, checked: event.result };
    case 'imported':
      // Someone else changed something since the check, and now rows are refused, or warned of that nobody has seen.
      return event.result.report.kept
        ? { ...state, done: event.result }
        : { ...state, checked: event.result, notice: 'imports.changedMeanwhile' };
    case 'leftOut': {
      const leftOut = new Set(state.leftOut);
      for (const line of event.lines) {
        if (event.out) leftOut.add(line);
        else leftOut.delete(line);
      }
      return clearOutcome(state, leftOut);
    }
    case 'leftOutAsChecked':
      return clearOutcome(state, state.checked?.leftOut ?? NONE);
  }
}

/** What went wrong was about other rows. */
const clearOutcome = (state: ImportState, leftOut: ReadonlySet<number>): ImportState => ({
  ...state,
  leftOut,
  problems: [],
  again: null,
});

/** What the same person finds again after their session ended; undefined where there is nothing to go on with. */
export function interruptedState(state: ImportState): ImportState | undefined {
  if (!state.file || state.done) return undefined;
  return {
    ...state,
    problems: [],
    notice: state.doing === 'importing' ? 'imports.resumedImporting' : 'imports.resumed',
    doing: null,
    progress: null,
    // Where it ended before the file was read, that is done once more.
    again: state.reading ? null : { doing: 'reading', file: state.file, choices: state.choices },
  };
}
