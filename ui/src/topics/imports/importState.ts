import type { FileReading, ImportReport, ReadFileApiArg } from '@/api/generated';
import type { Progress } from '@/api/upload';
import type { MessageId } from '@/i18n/language';
import type { SearchableRow } from './importRows';

export type Choices = Omit<ReadFileApiArg, 'body' | 'mapping'> & { mapping: Record<string, string> };

/**
 * What the file would do, or did, row by row.
 *
 * `leftOut` are the lines that were left out.
 */
export interface ImportResult {
  report: ImportReport;
  rows: SearchableRow[];
  leftOut: ReadonlySet<number>;
}

/** A request to the server. */
export type Step =
  | { doing: 'reading'; file: File; choices: Choices }
  | { doing: 'checking' }
  | { doing: 'importing'; goodRows: boolean };

/** The state of an import from choosing the file to the result. */
export interface ImportState {
  file: File | null;
  choices: Choices;
  /** How the file is read, with open questions. */
  reading: FileReading | null;
  /** Whether the noun was detected rather than chosen. */
  guessed: boolean;
  /** The outcome of the check, until a choice changes. */
  checked: ImportResult | null;
  /** The lines of the rows to leave out. */
  leftOut: ReadonlySet<number>;
  /** The outcome of the import. */
  done: ImportResult | null;
  problems: string[];
  /** A further message about the import. */
  notice: MessageId | null;
  doing: Step['doing'] | null;
  progress: Progress | null;
  /** The request that can be retried. */
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
  /** The page itself rejects the file. */
  | { type: 'objected'; problem: string }
  | { type: 'begun'; doing: Step['doing'] }
  | { type: 'progressed'; progress: Progress }
  | { type: 'failed'; problems: string[]; again: Step | null }
  /** The request was answered, failed or was cancelled. */
  | { type: 'ended' }
  | { type: 'read'; reading: FileReading | null; choices: Choices }
  | { type: 'checked'; result: ImportResult }
  | { type: 'imported'; result: ImportResult }
  | { type: 'leftOut'; lines: number[]; out: boolean }
  /** Leave out the same rows as in the last check. */
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
        // A detected noun is kept as a choice, so that it does not change with other choices.
        choices: { ...choices, noun: reading?.noun },
        checked: null,
        leftOut: NONE,
      };
    }
    case 'checked':
      return { ...state, checked: event.result };
    case 'imported':
      // Data changed since the check, so rows are refused now, or have warnings that were not shown.
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

/**
 * Change the rows to leave out.
 *
 * Errors are cleared, because they were about other rows.
 */
const clearOutcome = (state: ImportState, leftOut: ReadonlySet<number>): ImportState => ({
  ...state,
  leftOut,
  problems: [],
  again: null,
});

/**
 * Return the state to restore when the same user signs in again.
 *
 * It is undefined if there is nothing to restore.
 */
export function interruptedState(state: ImportState): ImportState | undefined {
  if (!state.file || state.done) return undefined;
  return {
    ...state,
    problems: [],
    notice: state.doing === 'importing' ? 'imports.resumedImporting' : 'imports.resumed',
    doing: null,
    progress: null,
    // If the session ended before the file was read, reading can be retried.
    again: state.reading ? null : { doing: 'reading', file: state.file, choices: state.choices },
  };
}
