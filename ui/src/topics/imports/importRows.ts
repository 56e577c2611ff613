import type { ImportedRow, RowMessage } from '@/api/generated';
import { foldText } from '@/i18n/foldText';
import type { View } from './nouns';

/** A row of a file with its searchable text. */
export interface SearchableRow extends ImportedRow {
  text: string;
}

/**
 * Add the searchable text to each row.
 *
 * This happens while rows arrive, because all at once takes too long.
 */
export function withSearchText(rows: ImportedRow[]): SearchableRow[] {
  return rows.map((row) => {
    const changed = row.changes.flatMap(({ before, after }) => [before, after]);
    const said = [...row.reasons, ...row.warnings].map(({ message }) => message);
    const text = foldText([row.line, row.label, ...row.cells, ...changed, ...said].join('\n'));
    return Object.assign(row, { text });
  });
}

/**
 * Group the rows by view.
 *
 * A row with warnings is in the view of its outcome as well.
 */
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

/** Return the messages of a row that a view shows. */
export const messagesOf = (row: ImportedRow, view: View) => (view === 'refused' ? row.reasons : row.warnings);

/**
 * Return a message's kind.
 *
 * Messages of one kind differ only in their values.
 */
const kindOf = ({ code, field }: RowMessage) => `${code} ${field ?? ''}`;

interface MessageKind {
  kind: string;
  rows: number;
  /** One of the messages, as an example. */
  example: RowMessage;
}

/** Count the kinds of messages, the most frequent first. */
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

/**
 * Return the rows that match the query and the kind.
 *
 * A row must contain every word, and a message of that kind.
 */
export function setFilters(rows: SearchableRow[], view: View, { query, kind }: Narrowed): SearchableRow[] {
  const words = wordsOf(query);
  if (words.length === 0 && kind === null) return rows;
  return rows.filter(
    (row) =>
      words.every((word) => row.text.includes(word)) &&
      (kind === null || messagesOf(row, view).some((message) => kindOf(message) === kind)),
  );
}

/** Return the indexes of cells with matches that are not displayed. */
export function cellsFound(row: SearchableRow, query: string, shown: string): number[] {
  const seen = foldText(shown);
  const words = wordsOf(query).filter((word) => !seen.includes(word));
  if (words.length === 0) return [];
  return row.cells.flatMap((cell, index) => {
    const text = foldText(cell);
    return words.some((word) => text.includes(word)) ? [index] : [];
  });
}

/**
 * Format the lines that are left out, such as `12,15-20`.
 *
 * A range may include lines without a row.
 */
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
