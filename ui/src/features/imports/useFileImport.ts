import { useRef, useState } from 'react';
import type { FileReading, FileSetting, ImportReport, Noun, ReadFileApiArg } from '@/api/generated';
import type { Problem } from '@/api/problem';
import {
  listen,
  type Progress,
  useCheckImportMutation,
  useImportFileMutation,
  useReadFileMutation,
} from '@/api/upload';
import { useSubmit } from '@/components/useSubmit';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';

/** What the server takes. It says so as well, but only when all of it is there. */
const LARGEST_FILE = 50_000_000;

type Choices = Omit<ReadFileApiArg, 'body' | 'mapping'> & { mapping: Record<string, string> };
type Doing = 'reading' | 'checking' | 'importing';

const NOTHING_CHOSEN: Choices = { mapping: {} };

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

/**
 * Bringing a file in, from choosing it to the end. `reading` is how it is read, with what is asked; `checked` what it
 * would do, until something is chosen otherwise; `done` what it did.
 */
export function useFileImport() {
  const t = useText();
  const { submit } = useSubmit();
  const [readFile] = useReadFileMutation();
  const [checkImport] = useCheckImportMutation();
  const [importFile] = useImportFileMutation();
  const [file, setFile] = useState<File | null>(null);
  const [choices, setChoices] = useState(NOTHING_CHOSEN);
  const [reading, setReading] = useState<FileReading | null>(null);
  const [guessed, setGuessed] = useState(true);
  const [problems, setProblems] = useState<string[]>([]);
  const [doing, setDoing] = useState<Doing | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [checked, setChecked] = useState<ImportReport | null>(null);
  const [done, setDone] = useState<ImportReport | null>(null);
  const stop = useRef<() => void>(undefined);
  const stopped = useRef(false);

  /** What goes wrong is told on the page, where the file and the choices stay; but for the end of the session. */
  function explain({ status, messages }: Problem, unreachable: MessageId) {
    if (status === 401 || status === 403) return false;
    if (stopped.current) return true;
    setProblems(status === null ? [t(unreachable)] : messages.map(({ text }) => text));
    return true;
  }

  async function run<A extends { data?: unknown; error?: unknown }>(
    what: Doing,
    call: () => PromiseLike<A> & { abort: () => void },
    unreachable: MessageId = 'error.unreachable',
  ) {
    setDoing(what);
    setProblems([]);
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
      { onProblem: (problem) => explain(problem, unreachable) },
    );
    setDoing(null);
    return answer;
  }

  async function read(content: File, next: Choices) {
    const answer = await run('reading', () => readFile(sent(content, next)));
    if (!answer.ok) return;
    const found = answer.data.reading;
    setReading(found);
    setGuessed(next.noun === undefined || (guessed && next.noun === choices.noun));
    // What was found out stays found out, whatever else is chosen.
    setChoices({ ...next, noun: found?.noun });
    setChecked(null);
  }

  async function choose(chosen: File) {
    startOver();
    if (chosen.size > LARGEST_FILE) return setProblems([t('imports.tooLarge')]);
    try {
      // What is checked, and what is brought in then, is what it is now.
      const content = new File([await chosen.arrayBuffer()], chosen.name);
      listen(content, setProgress);
      setFile(content);
      await read(content, NOTHING_CHOSEN);
    } catch {
      setProblems([t('imports.unreadable')]);
    }
  }

  function startOver() {
    setFile(null);
    setReading(null);
    setChecked(null);
    setDone(null);
    setProblems([]);
    setChoices(NOTHING_CHOSEN);
  }

  const change = (next: Choices) => file && read(file, next);

  return {
    file,
    choices,
    reading,
    guessed,
    problems,
    doing,
    progress,
    checked,
    done,
    choose,
    startOver,
    refuseSeveral: () => setProblems([t('imports.several')]),
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
    check: async () => {
      const { noun } = choices;
      if (!file || !noun) return;
      const answer = await run('checking', () => checkImport({ ...sent(file, choices), noun }));
      if (answer.ok) setChecked(answer.data.report ?? null);
    },
    bringIn: async (goodRows: boolean) => {
      const { noun } = choices;
      if (!file || !noun) return;
      const answer = await run(
        'importing',
        () => importFile({ ...sent(file, choices), noun, fileName: file.name, goodRows }),
        'imports.lost',
      );
      const report = answer.ok ? answer.data.report : undefined;
      if (!report) return;
      // Someone else changed something since the check, and now rows are refused.
      if (report.kept) setDone(report);
      else setChecked(report);
    },
  };
}

export type FileImport = ReturnType<typeof useFileImport>;
