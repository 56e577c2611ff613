import { useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import type { FileSetting, ImportReport, Noun } from '@/api/generated';
import type { Problem } from '@/api/problem';
import {
  type ImportProgress,
  onProgress,
  useCheckImportMutation,
  useImportFileMutation,
  useReadFileMutation,
} from '@/api/upload';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { useAppStore } from '@/state/storeHooks';
import { linesText, type SearchableRow, withSearchText } from './importRows';
import {
  type Choices,
  type ImportResult,
  importReducer,
  interruptedState,
  NO_CHOICES,
  NOTHING,
  type Step,
} from './importState';
import { forgetInterruptedImport, resumeImport, saveInterruptedImport } from './interruptedImport';

/**
 * The server's limit in bytes.
 *
 * Its own refusal arrives only after the whole upload.
 */
const MAX_FILE_BYTES = 50_000_000;

/**
 * The maximum length of the lines to leave out.
 *
 * They are in the URL, of which a proxy accepts 8 kB.
 */
const MAX_LINES_LENGTH = 6_000;

/**
 * Build the arguments of a request: the file and the choices.
 *
 * Each request needs both, because the server keeps nothing.
 */
export const sent = (body: File, { mapping, ...choices }: Choices) => ({
  ...choices,
  body,
  mapping: pairs(mapping),
});
const pairs = (mapping: Choices['mapping']) =>
  Object.entries(mapping).map(([field, column]) => `${field}=${column}`);

/** Convert the choices to query parameters. */
export const queryOf = ({ mapping, headerRow, ...choices }: Choices) => ({
  ...choices,
  header_row: headerRow,
  mapping: pairs(mapping),
});

/**
 * Return whether a retry may succeed.
 *
 * That is so without an answer, after too many requests, and on a server error.
 */
const passing = (status: number | null) =>
  status === null || [408, 409, 429].includes(status) || status >= 500;

/**
 * Import a file.
 *
 * After the end of a session, the same user resumes the import.
 */
export function useFileImport(wanted?: Noun) {
  const t = useText();
  const { submit } = useSubmit();
  const [readFile] = useReadFileMutation();
  const [checkImport] = useCheckImportMutation();
  const [importFile] = useImportFileMutation();
  const session = useAppStore();
  const [userId] = useState(() => session.getState().session.user?.id ?? 0);
  const compares = wanted === 'handed_out';
  const [state, dispatch] = useReducer(
    importReducer,
    NOTHING,
    (nothing) => resumeImport(userId, compares) ?? nothing,
  );
  const stop = useRef<() => void>(undefined);
  const stopped = useRef(false);
  const { file, choices, reading, checked, leftOut, again } = state;

  const onLeave = useEffectEvent(() => {
    const interrupted = interruptedState(state);
    if (interrupted && session.getState().session.notice === 'session.expired')
      saveInterruptedImport(userId, interrupted, compares);
  });
  useEffect(() => {
    forgetInterruptedImport();
    return () => onLeave();
  }, []);

  /**
   * Show errors on the page, unless the session has ended.
   *
   * The file and the choices stay.
   */
  function explain({ status, messages }: Problem, step: Step) {
    if (status === 401 || status === 403) return false;
    if (stopped.current) return true;
    const told = messages.map(({ text }) => text);
    const unreachable = step.doing === 'importing' ? 'imports.lost' : 'error.unreachable';
    const problems = status === null ? [t(unreachable)] : told.length > 0 ? told : [t('error.unexpected')];
    dispatch({ type: 'failed', problems, again: passing(status) ? step : null });
    return true;
  }

  async function run<A extends { data?: unknown; error?: unknown }>(
    step: Step,
    call: () => PromiseLike<A> & { abort: () => void },
  ) {
    dispatch({ type: 'begun', doing: step.doing });
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
      { onProblem: (problem) => explain(problem, step) },
    );
    dispatch({ type: 'ended' });
    return answer.ok ? answer.data : undefined;
  }

  async function read(content: File, next: Choices) {
    const step: Step = { doing: 'reading', file: content, choices: next };
    const answer = await run(step, () => readFile(sent(content, next)));
    if (answer) dispatch({ type: 'read', reading: answer.reading, choices: next });
  }

  /** Collect the rows and the progress that are streamed during a request. */
  function collectRows() {
    let rows: SearchableRow[] = [];
    const listener = ({ done, total, rows: more }: ImportProgress) => {
      if (done === 0) rows = [];
      rows.push(...withSearchText(more));
      dispatch({ type: 'progressed', progress: { done, total } });
    };
    return { listener, result: (report: ImportReport): ImportResult => ({ report, rows, leftOut }) };
  }

  async function choose(chosen: File) {
    dispatch({ type: 'startedOver' });
    if (chosen.size > MAX_FILE_BYTES) return dispatch({ type: 'objected', problem: t('imports.tooLarge') });
    try {
      // A copy: checking and importing use the content as it is now.
      const content = new File([await chosen.arrayBuffer()], chosen.name);
      dispatch({ type: 'chosen', file: content });
      await read(content, { ...NO_CHOICES, noun: wanted });
    } catch {
      dispatch({ type: 'objected', problem: t('imports.unreadable') });
    }
  }

  // Stable, because a new function would render all rows at each tick.
  const changeLeftOut = useCallback(
    (lines: Iterable<number>, out: boolean) => dispatch({ type: 'leftOut', lines: [...lines], out }),
    [],
  );

  const change = (next: Choices) => file && read(file, next);
  const leaveOut = checked && leftOut.size > 0 ? linesText(checked.rows, leftOut) : '';

  async function check() {
    const { noun } = choices;
    if (!file || !noun) return;
    const collected = collectRows();
    const arg = { ...sent(file, choices), noun, rows: 'all' as const, leaveOut: leaveOut || undefined };
    const answer = await run({ doing: 'checking' }, () => checkImport(onProgress(arg, collected.listener)));
    if (answer?.report) dispatch({ type: 'checked', result: collected.result(answer.report) });
  }

  async function bringIn(goodRows: boolean) {
    const { noun } = choices;
    if (!file || !noun) return;
    const collected = collectRows();
    const arg = {
      ...sent(file, choices),
      noun,
      fileName: file.name,
      rows: 'all' as const,
      leaveOut: leaveOut || undefined,
      goodRows,
      confirmed: checked?.report.warnings,
    };
    const answer = await run({ doing: 'importing', goodRows }, () =>
      importFile(onProgress(arg, collected.listener)),
    );
    if (answer?.report) dispatch({ type: 'imported', result: collected.result(answer.report) });
  }

  function repeat(step: Step) {
    if (step.doing === 'reading') return read(step.file, step.choices);
    return step.doing === 'checking' ? check() : bringIn(step.goodRows);
  }

  return {
    ...state,
    again: again && (() => repeat(again)),
    choose,
    startOver: () => dispatch({ type: 'startedOver' }),
    refuseSeveral: () => dispatch({ type: 'objected', problem: t('imports.several') }),
    stop: () => stop.current?.(),
    /** Change the noun; the mapping of another noun's fields is dropped. */
    changeNoun: (noun: Noun) => change({ ...choices, noun, mapping: {} }),
    changeSetting: (about: FileSetting['about'], value: string) => {
      const setting = about === 'header_row' ? { headerRow: Number(value) } : { [about]: value };
      // Another sheet has its header elsewhere.
      const headerRow = about === 'sheet' ? undefined : choices.headerRow;
      // The format of numbers and dates does not change the names of the columns.
      const mapping = about === 'decimal' || about === 'dates' ? choices.mapping : {};
      return change({ ...choices, headerRow, ...setting, mapping });
    },
    /** Map a field to a column, or to none with an empty name. */
    changeColumn: (field: string, column: string) => {
      const before = reading?.fields.find((one) => column !== '' && one.column === column);
      const mapping = { ...choices.mapping, ...(before && { [before.name]: '' }), [field]: column };
      return change({ ...choices, mapping });
    },
    /** The lines to leave out, as sent to the server. */
    leaveOut,
    leavesOutTooMany: encodeURIComponent(leaveOut).length > MAX_LINES_LENGTH,
    changeLeftOut,
    /** Leave out the same rows as in the last check. */
    resetLeftOut: () => dispatch({ type: 'leftOutAsChecked' }),
    check,
    bringIn,
  };
}

export type FileImport = ReturnType<typeof useFileImport>;
