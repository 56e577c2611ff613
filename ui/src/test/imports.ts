import { File as NodeFile } from 'node:buffer';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { vi } from 'vitest';
import type { FileField, FileReading, ImportedRow, ImportReport, ImportView } from '@/api/generated';
import { aSupervisor } from './people';
import { server } from './server';
import { aPage } from './sheets';

// Node's fetch accepts only its own File class.
vi.stubGlobal('File', NodeFile);

export const aField = (name: string, label: string, change: Partial<FileField> = {}): FileField => ({
  name,
  label,
  kind: 'text',
  needed: true,
  column: label,
  reason: `«${label}» viene de la columna «${label}», que tiene ese nombre.`,
  question: null,
  suggestion: null,
  options: [],
  ...change,
});

export const aReading = (change: Partial<FileReading> = {}): FileReading => ({
  noun: 'products',
  rows: 3,
  notes: ['Es un archivo de texto.'],
  settings: [
    {
      about: 'encoding',
      value: 'windows-1252',
      reason: 'Los caracteres se leen como Windows-1252: la línea 3 no es válida en UTF-8.',
      question: null,
      suggestion: null,
      options: [
        { value: 'utf-8', label: 'UTF-8' },
        { value: 'windows-1252', label: 'Windows-1252' },
      ],
    },
  ],
  columns: ['Código', 'Nombre', 'Precio'],
  fields: [
    aField('code', 'Código', { kind: 'code' }),
    aField('name', 'Nombre'),
    aField('price', 'Precio', { kind: 'money' }),
    aField('unit', 'Unidad', { needed: false, column: null, reason: null }),
  ],
  sample: [
    {
      line: 2,
      cells: ['1', 'Gasa', '1.234'],
      read: { code: '1', name: 'Gasa', price: '1234' },
      wrong: {},
    },
    {
      line: 3,
      cells: ['2', 'Tul', 'x'],
      read: { code: '2', name: 'Tul' },
      wrong: { price: 'Escriba un número en «Precio».' },
    },
  ],
  unanswered: 0,
  ...change,
});

export const asked = aReading({
  settings: [
    {
      about: 'decimal',
      value: null,
      reason: null,
      question: '¿Cuál es el separador decimal? «1.234» se puede leer de dos maneras.',
      suggestion: null,
      options: [
        { value: 'point', label: 'punto' },
        { value: 'comma', label: 'coma' },
      ],
    },
  ],
  unanswered: 1,
});

export const aRow = (line: number, cells: string[], change: Partial<ImportedRow> = {}): ImportedRow => ({
  line,
  outcome: 'created',
  label: cells.join(' · '),
  cells,
  changes: [],
  reasons: [],
  warnings: [],
  ...change,
});

export const aReport = (change: Partial<ImportReport> = {}): ImportReport => ({
  created: 1,
  changed: 1,
  unchanged: 0,
  refused: 1,
  left_out: 0,
  warned: 0,
  warnings: '',
  also: { categories: 2 },
  kept: false,
  import_id: null,
  rows: [
    aRow(2, ['1', 'Gasa']),
    aRow(4, ['3', 'Lino'], {
      outcome: 'changed',
      changes: [{ field: 'price', label: 'Precio', before: '2.50', after: '2.75' }],
    }),
    aRow(3, ['2', 'Tul'], {
      outcome: 'refused',
      reasons: [
        {
          field: 'price',
          label: 'Precio',
          value: 'x',
          code: 'number.expected',
          message: 'Escriba un número en «Precio».',
        },
      ],
    }),
  ],
  ...change,
});

export const inLines = (...lines: object[]) =>
  new HttpResponse(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
    headers: { 'Content-Type': 'application/x-ndjson' },
  });

/** Stream all rows of the report before the report itself. */
export const ndjsonOf = (report: ImportReport) =>
  inLines(
    { done: 0, total: 3, rows: [] },
    ...report.rows.map((row, index) => ({ done: index + 1, total: report.rows.length, rows: [row] })),
    { report },
  );

export const anImport = (change: Partial<ImportView> = {}): ImportView => ({
  id: 3,
  noun: 'products',
  file_name: 'precios.csv',
  at: '2026-11-20T09:30:00Z',
  user: { id: 2, email: 'lucia@hospital.test' },
  created: 2,
  changed: 1,
  unchanged: 0,
  refused: 0,
  undone_at: null,
  undone_by: null,
  ...change,
});

interface Answers {
  readings?: (FileReading | null)[];
  check?: () => Response;
  done?: () => Response;
}

/** Serve imports with these readings, and collect the requests. */
export function serveImports({ readings = [aReading()], check, done }: Answers = {}) {
  const sent: { path: string; query: URLSearchParams; body: string }[] = [];
  const note = async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    sent.push({ path: pathname, query: searchParams, body: await request.text() });
  };
  let read = 0;
  server.use(
    http.post('/api/imports/read', async ({ request }) => {
      await note(request);
      const reading = readings[Math.min(read, readings.length - 1)] ?? null;
      read += 1;
      return HttpResponse.json({ nouns: reading ? [reading.noun] : [], reading });
    }),
    http.post('/api/imports/check', async ({ request }) => {
      await note(request);
      return check?.() ?? ndjsonOf(aReport());
    }),
    http.post('/api/imports/refused-rows', async ({ request }) => {
      await note(request);
      return new HttpResponse('Código\r\n2\r\n');
    }),
    http.post('/api/imports', async ({ request }) => {
      await note(request);
      return done?.() ?? ndjsonOf(aReport({ kept: true, import_id: 3 }));
    }),
    http.get('/api/imports', () => HttpResponse.json(aPage([anImport()]))),
  );
  return sent;
}

export const supervisor = { user: aSupervisor() };
export const CONTENT = 'Código;Nombre;Precio\n1;Gasa;1.234\n';

export async function chooseFile(name = 'precios.csv') {
  const input = await waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[type=file]');
    if (!found) throw new Error('There is no way to choose a file yet.');
    return found;
  });
  await userEvent.upload(input, new File([CONTENT], name));
}

export const last = <T>(all: T[]) => all[all.length - 1];
export const button = (name: string | RegExp) => screen.findByRole('button', { name });
