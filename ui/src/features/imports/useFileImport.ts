import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import type { FileReading, FileSetting, ImportReport, Noun, ReadFileApiArg } from '@/api/generated';
import type { Problem } from '@/api/problem';
import {
  heard,
  type Progress,
  type Told,
  useCheckImportMutation,
  useImportFileMutation,
  useReadFileMutation,
} from '@/api/upload';
import { useSubmit } from '@/components/useSubmit';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import type { Session } from '@/session/session';
import { forget, interrupt, takeUp } from './interrupted';
import { linesText, readyToSearch, type ToldRow } from './toldRows';

/** What the server takes. It says so as well, but only when all of it is there. */
const LARGEST_FILE = 50_000_000;

/** So long may the lines be that are left out: they stand in an address, and a proxy takes 8 kB of it. */
const LONGEST_LINES = 6_000;

type Choices = Omit<ReadFileApiArg, 'body' | 'mapping'> & { mapping: Record<string, string> };
type Doing = 'reading' | 'checking' | 'importing';

const NOTHING_CHOSEN: Choices = { mapping: {} };
const NONE: ReadonlySet<number> = new Set();

/** The file with all that was chosen: each call brings both, since the server keeps nothing. */
const sent = (body: File, { mapping, ...choices }: Choices) => ({
  ...choices,
  body,
  mapping: pairs(mapping),
});
const pairs = (mapping: Choices['mapping']) =>
  Object.entries(mapping).map(([field, column]) => `${field}=${column}`);

/** The same as the parameters of an address. */
export const queryOf = ({ mapping, headerRow, ...choices }: Choices) => ({
  ...choices,
  header_row: headerRow,
  mapping: pairs(mapping),
});

/** What the file would do, or did, and to which of its rows; `leftOut` are the lines that it was told to leave out. */
export interface ImportResult {
  report: ImportReport;
  rows: ToldRow[];
  leftOut: ReadonlySet<number>;
}

/** An import from choosing the file to the end. */
export interface ImportInHand {
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
}

const NOTHING: ImportInHand = {
  file: null,
  choices: NOTHING_CHOSEN,
  reading: null,
  guessed: true,
  checked: null,
  leftOut: NONE,
  done: null,
  problems: [],
  notice: null,
};

/** What may go better the next time: no answer, too many at once, or a server in trouble. */
const passing = (status: number | null) =>
  status === null || [408, 409, 429].includes(status) || status >= 500;

/** Bringing a file in. Where the session ends meanwhile, the same person goes on from there. */
export function useFileImport() {
  const t = useText();
  const { submit } = useSubmit();
  const [readFile] = useReadFileMutation();
  const [checkImport] = useCheckImportMutation();
  const [importFile] = useImportFileMutation();
  const session = useStore<{ session: Session }>();
  const [userId] = useState(() => session.getState().session.user?.id ?? 0);
  const [work, setWork] = useState(() => takeUp(userId) ?? NOTHING);
  const [doing, setDoing] = useState<Doing | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  /** What is tried once more; where the session ended before the file was read, that. */
  const [again, setAgain] = useState<(() => void) | null>(() => {
    const { file, reading, choices } = work;
    return file && !reading ? () => read(file, choices) : null;
  });
  const stop = useRef<() => void>(undefined);
  const stopped = useRef(false);
  const { file, choices, reading, guessed, leftOut } = work;
  const now = useRef({ work, doing });
  now.current = { work, doing };

  useEffect(() => {
    forget();
    return () => {
      if (session.getState().session.notice !== 'session.expired') return;
      const { work, doing } = now.current;
      const notice = doing === 'importing' ? 'imports.resumedImporting' : 'imports.resumed';
      if (work.file && !work.done) interrupt(userId, { ...work, problems: [], notice });
    };
  }, [session, userId]);

  const set = (change: Partial<ImportInHand>) => setWork((before) => ({ ...before, ...change }));

  /** What goes wrong is told on the page, where the file and the choices stay; but for the end of the session. */
  function explain({ status, messages }: Problem, unreachable: MessageId, retry: () => void) {
    if (status === 401 || status === 403) return false;
    if (stopped.current) return true;
    const told = messages.map(({ text }) => text);
    set({ problems: status === null ? [t(unreachable)] : told.length > 0 ? told : [t('error.unexpected')] });
    setAgain(() => (passing(status) ? retry : null));
    return true;
  }

  interface Attempt<A> {
    call: () => PromiseLike<A> & { abort: () => void };
    retry: () => void;
    unreachable?: MessageId;
  }

  async function run<A extends { data?: unknown; error?: unknown }>(
    what: Doing,
    { call, retry, unreachable = 'error.unreachable' }: Attempt<A>,
  ) {
    setDoing(what);
    set({ problems: [], notice: null });
    setAgain(null);
    setProgress(null);
    stopped.current = false;
    const answer = await submit(
      () => {
        const running = call();
        stop.current = () => {
          stopped.current = true;
          running.abort();
        };
        return running;
      },
      { onProblem: (problem) => explain(problem, unreachable, retry) },
    );
    setDoing(null);
    return answer;
  }

  async function read(content: File, next: Choices) {
    const answer = await run('reading', {
      call: () => readFile(sent(content, next)),
      retry: () => read(content, next),
    });
    if (!answer.ok) return;
    const found = answer.data.reading;
    set({
      reading: found,
      guessed: next.noun === undefined || (guessed && next.noun === choices.noun),
      // What was found out stays found out, whatever else is chosen.
      choices: { ...next, noun: found?.noun },
      checked: null,
      leftOut: NONE,
    });
  }

  /** The rows that are told while something is under way, and how far it is. */
  function rowsTold() {
    let rows: ToldRow[] = [];
    const hear = ({ done, total, rows: more }: Told) => {
      if (done === 0) rows = [];
      rows.push(...readyToSearch(more));
      setProgress({ done, total });
    };
    return { hear, result: (report: ImportReport): ImportResult => ({ report, rows, leftOut }) };
  }

  async function choose(chosen: File) {
    startOver();
    if (chosen.size > LARGEST_FILE) return set({ problems: [t('imports.tooLarge')] });
    try {
      // What is checked, and what is brought in then, is what it is now.
      const content = new File([await chosen.arrayBuffer()], chosen.name);
      set({ file: content });
      await read(content, NOTHING_CHOSEN);
    } catch {
      set({ problems: [t('imports.unreadable')] });
    }
  }

  function startOver() {
    setWork(NOTHING);
    setAgain(null);
  }

  const decide = useCallback((change: (work: ImportInHand) => ReadonlySet<number>) => {
    setWork((before) => ({ ...before, leftOut: change(before), problems: [] }));
    // It was about other rows.
    setAgain(null);
  }, []);
  // The same for good: else each tick would draw all rows anew.
  const changeLeftOut = useCallback(
    (lines: Iterable<number>, out: boolean) =>
      decide(({ leftOut }) => {
        const next = new Set(leftOut);
        for (const line of lines) {
          if (out) next.add(line);
          else next.delete(line);
        }
        return next;
      }),
    [decide],
  );

  const change = (next: Choices) => file && read(file, next);
  const leaveOut = work.checked && leftOut.size > 0 ? linesText(work.checked.rows, leftOut) : '';

  async function check() {
    const { noun } = choices;
    if (!file || !noun) return;
    const told = rowsTold();
    const answer = await run('checking', {
      call: () =>
        checkImport(
          heard({ ...sent(file, choices), noun, rows: 'all', leaveOut: leaveOut || undefined }, told.hear),
        ),
      retry: check,
    });
    const report = answer.ok ? answer.data.report : undefined;
    if (report) set({ checked: told.result(report) });
  }

  async function bringIn(goodRows: boolean) {
    const { noun } = choices;
    if (!file || !noun) return;
    const told = rowsTold();
    const confirmed = work.checked?.report.warnings;
    const answer = await run('importing', {
      call: () =>
        importFile(
          heard(
            {
              ...sent(file, choices),
              noun,
              fileName: file.name,
              rows: 'all',
              leaveOut: leaveOut || undefined,
              goodRows,
              confirmed,
            },
            told.hear,
          ),
        ),
      retry: () => bringIn(goodRows),
      unreachable: 'imports.lost',
    });
    const report = answer.ok ? answer.data.report : undefined;
    if (!report) return;
    const result = told.result(report);
    // Someone else changed something since the check, and now rows are refused, or warned of that nobody has seen.
    if (report.kept) set({ done: result });
    else set({ checked: result, notice: 'imports.changedMeanwhile' });
  }

  return {
    ...work,
    doing,
    progress,
    again,
    choose,
    startOver,
    refuseSeveral: () => set({ problems: [t('imports.several')] }),
    stop: () => stop.current?.(),
    /** Nothing that was chosen of one noun's fields is of use to another. */
    changeNoun: (noun: Noun) => change({ ...choices, noun, mapping: {} }),
    changeSetting: (about: FileSetting['about'], value: string) => {
      const setting = about === 'header_row' ? { headerRow: Number(value) } : { [about]: value };
      // Another sheet has its header elsewhere.
      const headerRow = about === 'sheet' ? undefined : choices.headerRow;
      // How numbers and dates are written does not change what the columns are called.
      const mapping = about === 'decimal' || about === 'dates' ? choices.mapping : {};
      return change({ ...choices, headerRow, ...setting, mapping });
    },
    /** Have a column fill that field, or none with an empty name. */
    changeColumn: (field: string, column: string) => {
      const before = reading?.fields.find((one) => column !== '' && one.column === column);
      const mapping = { ...choices.mapping, ...(before && { [before.name]: '' }), [field]: column };
      return change({ ...choices, mapping });
    },
    /** The lines that are left out, as the server is told. */
    leaveOut,
    leavesOutTooMany: encodeURIComponent(leaveOut).length > LONGEST_LINES,
    changeLeftOut,
    /** Leave out those again that were when it was checked. */
    resetLeftOut: () => decide(({ checked }) => checked?.leftOut ?? NONE),
    check,
    bringIn,
  };
}

export type FileImport = ReturnType<typeof useFileImport>;
