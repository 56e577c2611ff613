import type { ImportedRow, RowMessage } from '@/api/generated';
import { foldText } from '@/i18n/foldText';
import type { View } from './nouns';

/** A row of a file as it was told, and what it is found by. */
export interface SearchableRow extends ImportedRow {
  text: string;
}

/** The same rows, made ready to be searched: while they come, since for all at once it takes too long. */
export function withSearchText(rows: ImportedRow[]): SearchableRow[] {
  return rows.map((row) => {
    const changed = row.changes.flatMap(({ before, after }) => [before, after]);
    const said = [...row.reasons, ...row.warnings].map(({ message }) => message);
    const text = foldText([row.line, row.label, ...row.cells, ...changed, ...said].join('\n'));
    return Object.assign(row, { text });
  });
}

/** The rows by what they are looked at by; one that was warned of is seen by its outcome as well. */
export function byView(rows: SearchableRow[]): Record<View, SearchableRow[]> {
  const found: Record<View, SearchableRow[]> = {
    refused: [],
    warned: [],
    created: [],
    changed: [],
    unchanged: [],
    left_out: [],
  };
  for (const row of rows) {
    found[row.outcome].push(row);
    if (row.warnings.length > 0) found.warned.push(row);
  }
  return found;
}

/** What is said about a row where it is looked at like that. */
export const messagesOf = (row: ImportedRow, view: View) => (view === 'refused' ? row.reasons : row.warnings);

/** Messages of one kind differ in their values alone. */
const kindOf = ({ code, field }: RowMessage) => `${code} ${field ?? ''}`;

interface MessageKind {
  kind: string;
  rows: number;
  /** One of them: it tells what the others are about. */
  example: RowMessage;
}

/** What kinds of messages the rows have, the most frequent first. */
export function kindsIn(rows: SearchableRow[], view: View): MessageKind[] {
  const found = new Map<string, MessageKind>();
  for (const row of rows) {
    const messages = new Map(messagesOf(row, view).map((message) => [kindOf(message), message]));
    for (const [kind, example] of messages) {
      const known = found.get(kind);
      if (known) known.rows += 1;
      else found.set(kind, { kind, rows: 1, example });
    }
  }
  return [...found.values()].sort((one, other) => other.rows - one.rows);
}

interface Narrowed {
  query: string;
  kind: string | null;
}

/** The rows in which every word of the query is found, with a message of that kind. */
export function setFilters(rows: SearchableRow[], view: View, { query, kind }: Narrowed): SearchableRow[] {
  const words = wordsOf(query);
  if (words.length === 0 && kind === null) return rows;
  return rows.filter(
    (row) =>
      words.every((word) => row.text.includes(word)) &&
      (kind === null || messagesOf(row, view).some((message) => kindOf(message) === kind)),
  );
}

/** The cells in which a word of the query is found that what is shown of the row does not have, by their columns. */
export function cellsFound(row: SearchableRow, query: string, shown: string): number[] {
  const seen = foldText(shown);
  const words = wordsOf(query).filter((word) => !seen.includes(word));
  if (words.length === 0) return [];
  return row.cells.flatMap((cell, index) => {
    const text = foldText(cell);
    return words.some((word) => text.includes(word)) ? [index] : [];
  });
}

/** The lines of the rows that are left out, such as 12,15-20: from a row to the next of the file there is no other. */
export function linesText(rows: ImportedRow[], leftOut: ReadonlySet<number>): string {
  const ranges: [first: number, last: number][] = [];
  let open = false;
  for (const { line } of rows) {
    const range = ranges[ranges.length - 1];
    if (!leftOut.has(line)) open = false;
    else if (open && range) range[1] = line;
    else {
      ranges.push([line, line]);
      open = true;
    }
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(',');
}

const wordsOf = (query: string) => foldText(query).split(/\s+/).filter(Boolean);
