import { expect, it } from 'vitest';
import type { ImportedRow } from '@/api/generated';
import { cellsFound, linesText, setFilters, withSearchText } from './importRows';

const aRow = (line: number, change: Partial<ImportedRow> = {}): ImportedRow => ({
  line,
  outcome: 'created',
  label: `${line} · Cánula`,
  cells: [String(line), 'Cánula', 'Ñandú S.A.'],
  changes: [],
  reasons: [],
  warnings: [],
  ...change,
});

it.each([
  [[], ''],
  [[2], '2'],
  [[2, 3, 4], '2-4'],
  // Line 5 is empty, so the range of lines 4 to 6 leaves out no other row.
  [[3, 4, 6, 9], '3-6,9'],
  [[2, 4, 6, 7, 9], '2,4-9'],
])('formats the lines %j as %s', (leftOut, text) => {
  const rows = [2, 3, 4, 6, 7, 9].map((line) => aRow(line));
  expect(linesText(rows, new Set(leftOut))).toBe(text);
});

const message = {
  field: 'price',
  label: 'Precio',
  value: '0,375',
  code: 'money.rounded',
  message: 'Quedaría en 0.38.',
};

it.each([
  ['', [12, 13]],
  ['canula', [12, 13]],
  ['CÁNULA nandu', [12, 13]],
  ['13', [13]],
  ['quedaría 0.38', [12]],
  ['venda', [13]],
  ['canula x', []],
])('the query “%s” finds the lines %j', (query, lines) => {
  const rows = withSearchText([
    aRow(12, { warnings: [message] }),
    aRow(13, { changes: [{ field: 'name', label: 'Nombre', before: 'Venda', after: 'Cánula' }] }),
  ]);
  expect(setFilters(rows, 'created', { query, kind: null }).map(({ line }) => line)).toEqual(lines);
});

it('returns the cells whose match is not displayed', () => {
  const [row] = withSearchText([aRow(2)]);
  if (!row) throw new Error('There is a row.');
  expect(cellsFound(row, 'canula', row.label)).toEqual([]);
  expect(cellsFound(row, 'canula nandu', row.label)).toEqual([2]);
  expect(cellsFound(row, '', row.label)).toEqual([]);
});
