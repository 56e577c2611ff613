import { File as NodeFile } from 'node:buffer';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import type { FileField, FileReading, ImportedRow, ImportReport, ImportView } from '@/api/generated';
import { accountRead, signedIn } from '@/session/session';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

// Node's fetch accepts only its own File class.
vi.stubGlobal('File', NodeFile);

const aField = (name: string, label: string, change: Partial<FileField> = {}): FileField => ({
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

const aReading = (change: Partial<FileReading> = {}): FileReading => ({
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

const asked = aReading({
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

const aRow = (line: number, cells: string[], change: Partial<ImportedRow> = {}): ImportedRow => ({
  line,
  outcome: 'created',
  label: cells.join(' · '),
  cells,
  changes: [],
  reasons: [],
  warnings: [],
  ...change,
});

const aReport = (change: Partial<ImportReport> = {}): ImportReport => ({
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

const inLines = (...lines: object[]) =>
  new HttpResponse(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
    headers: { 'Content-Type': 'application/x-ndjson' },
  });

/** Stream all rows of the report before the report itself. */
const ndjsonOf = (report: ImportReport) =>
  inLines(
    { done: 0, total: 3, rows: [] },
    ...report.rows.map((row, index) => ({ done: index + 1, total: report.rows.length, rows: [row] })),
    { report },
  );

const anImport = (change: Partial<ImportView> = {}): ImportView => ({
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
function serveImports({ readings = [aReading()], check, done }: Answers = {}) {
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

const supervisor = { user: aSupervisor() };
const CONTENT = 'Código;Nombre;Precio\n1;Gasa;1.234\n';

async function chooseFile(name = 'precios.csv') {
  const input = await waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[type=file]');
    if (!found) throw new Error('There is no way to choose a file yet.');
    return found;
  });
  await userEvent.upload(input, new File([CONTENT], name));
}

const last = <T,>(all: T[]) => all[all.length - 1];
const button = (name: string | RegExp) => screen.findByRole('button', { name });

it('asks what cannot be detected before the check', async () => {
  const sent = serveImports({ readings: [asked, aReading()] });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  const question = await screen.findByRole('combobox', { name: /¿Cuál es el separador decimal\?/ });
  expect(question).toHaveValue('');
  expect(await button('Comprobar')).toBeDisabled();
  expect(screen.getByText('Responda primero a las preguntas de arriba.')).toBeVisible();
  await userEvent.selectOptions(question, 'coma');
  await waitFor(async () => expect(await button('Comprobar')).toBeEnabled());
  expect(last(sent)?.query.get('decimal')).toBe('comma');
  // The server keeps nothing, so each request contains the file.
  expect(sent.map(({ body }) => body)).toEqual([CONTENT, CONTENT]);
});

it('applies a suggestion only when a person accepts it', async () => {
  const question = {
    ...aField('price', 'Precio', {
      column: null,
      reason: null,
      question: '¿Qué columna es «Precio»?',
      suggestion: 'Valor',
      options: ['Código', 'Valor'],
    }),
  };
  const reading = aReading({ fields: [question], columns: ['Código', 'Valor'], unanswered: 1 });
  const sent = serveImports({ readings: [reading, aReading()] });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Usar «Valor», como sugiere el contenido'));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(last(sent)?.query.getAll('mapping')).toEqual(['price=Valor']);
});

it('shows how the file is read and why, and rereads it on change', async () => {
  const sent = serveImports();
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  expect(await screen.findByRole('combobox', { name: 'Contenido' })).toHaveValue('products');
  const encoding = screen.getByRole('combobox', { name: 'Codificación de caracteres' });
  expect(encoding).toHaveValue('windows-1252');
  expect(encoding).toHaveAccessibleDescription(/la línea 3 no es válida en UTF-8/);

  const sample = within(screen.getByRole('region', { name: 'Primeras filas' }));
  expect(sample.getByText('$1.234,00')).toBeVisible();
  expect(sample.getByText('Escriba un número en «Precio».')).toBeVisible();
  const price = sample.getByRole('combobox', { name: 'Campo de la columna Precio' });
  expect(price).toHaveValue('price');

  await userEvent.selectOptions(price, 'Unidad');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(last(sent)?.query.getAll('mapping')).toEqual(['price=', 'unit=Precio']);
  await userEvent.selectOptions(encoding, 'UTF-8');
  await waitFor(() => expect(sent).toHaveLength(3));
  // With another encoding, the columns may have other names.
  expect(last(sent)?.query.getAll('mapping')).toEqual([]);
  expect(last(sent)?.query.get('encoding')).toBe('utf-8');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Contenido' }), 'Personal');
  await waitFor(() => expect(last(sent)?.query.get('noun')).toBe('staff'));
});

it('searches the header again on another sheet', async () => {
  const options = ['Enero', 'Febrero'].map((value) => ({ value, label: value }));
  const [header, sheet] = (['header_row', 'sheet'] as const).map((about) => ({
    ...(aReading().settings[0] as FileReading['settings'][number]),
    about,
    value: about === 'sheet' ? 'Enero' : '1',
    options: about === 'sheet' ? options : ['1', '2'].map((value) => ({ value, label: `Línea ${value}` })),
  }));
  const sent = serveImports({
    readings: [aReading({ settings: [header, sheet] as FileReading['settings'] })],
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile('libro.xlsx');
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Encabezado' }), 'Línea 2');
  await waitFor(() => expect(last(sent)?.query.get('header_row')).toBe('2'));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Hoja' })).toBeEnabled());
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Hoja' }), 'Febrero');
  await waitFor(() => expect(last(sent)?.query.get('sheet')).toBe('Febrero'));
  expect(last(sent)?.query.get('header_row')).toBeNull();
});

it('asks for the kind of rows if the columns do not show it', async () => {
  const sent = serveImports({ readings: [null, aReading({ noun: 'staff' })] });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  const noun = await screen.findByRole('combobox', { name: 'Contenido' });
  expect(noun).toHaveValue('');
  expect(noun).toHaveAccessibleDescription('No se pudo detectar el tipo de lista.');
  await userEvent.selectOptions(noun, 'Personal');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(last(sent)?.query.get('noun')).toBe('staff');
  expect(await screen.findByRole('combobox', { name: 'Contenido' })).toHaveAccessibleDescription(
    'Según se eligió.',
  );
});

it('previews each row, and imports the good rows on request only', async () => {
  const sent = serveImports();
  const { router } = await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  const heading = await screen.findByRole('heading', { name: 'Esto es lo que pasaría' });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(screen.getByText('También se crean: Categorías: 2')).toBeVisible();

  // Refused rows come first.
  const table = () => within(screen.getByRole('table', { name: /^(Nuevas|Cambian|Rechazadas)$/ }));
  expect(
    table().getByRole('row', { name: /2 · Tul 3 Precio: x Escriba un número en «Precio»\./ }),
  ).toBeVisible();
  await userEvent.click(await button('1 Cambian'));
  expect(table().getByRole('row', { name: /3 · Lino 4 Precio: \$2,50 \$2,75/ })).toBeVisible();
  expect(await button('0 Sin cambios')).toBeDisabled();

  const bringIn = await button('Importar 2 filas');
  expect(bringIn).toBeDisabled();
  await userEvent.click(screen.getByRole('checkbox', { name: /Importar solo las filas correctas/ }));
  await userEvent.click(bringIn);
  expect(await screen.findByRole('heading', { name: 'Se importó precios.csv' })).toBeVisible();
  const { path, query, body } = last(sent) ?? {};
  expect([path, query?.get('good_rows'), query?.get('file_name'), query?.get('noun'), body]).toEqual([
    '/api/imports',
    'true',
    'precios.csv',
    'products',
    CONTENT,
  ]);
  expect(screen.getByRole('link', { name: 'Ver productos' })).toHaveAttribute('href', '/products');
  // The import is finished, so no question is asked.
  await userEvent.click(screen.getByRole('link', { name: 'Todas las importaciones' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/imports'));
});

const rounded = (value: string, to: string) => ({
  field: 'price',
  label: 'Precio',
  value,
  code: 'money.rounded',
  message: `«${value}» se guardaría como ${to}: los precios tienen dos decimales.`,
});

const otherName = {
  field: 'name',
  label: 'Nombre',
  value: 'Lino',
  code: 'name.differs',
  message: 'Con ese código hay otro nombre: «Venda».',
};

const doubtful = [
  aRow(2, ['1', 'Gasa', '0,375'], { warnings: [rounded('0,375', '0.38')] }),
  aRow(3, ['2', 'Tul', '2,50']),
  aRow(5, ['3', 'Lino', '1,005'], { warnings: [rounded('1,005', '1.01'), otherName] }),
  aRow(6, ['4', 'Cánula', '3,335'], { warnings: [rounded('3,335', '3.34')] }),
];

const aDoubtfulReport = (change: Partial<ImportReport> = {}) =>
  aReport({
    created: 4,
    changed: 0,
    refused: 0,
    warned: 3,
    warnings: 'seen',
    also: {},
    rows: doubtful,
    ...change,
  });

it('shows warnings with values, and imports after confirmation', async () => {
  const sent = serveImports({ check: () => ndjsonOf(aDoubtfulReport()) });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  expect(await button('3 Con advertencias')).toHaveAttribute('aria-pressed', 'true');
  const table = within(screen.getByRole('table', { name: 'Con advertencias' }));
  expect(
    table.getByRole('row', {
      name: /^3 · Lino · 1,005 5 Precio: 1,005 «1,005» se guardaría como 1\.01.* Nombre: Lino Con ese código hay otro/,
    }),
  ).toBeVisible();
  expect(table.getAllByRole('row')).toHaveLength(4);
  // They are also in the view of their outcome.
  await userEvent.click(await button('4 Nuevas'));
  expect(within(screen.getByRole('table', { name: 'Nuevas' })).getAllByRole('row')).toHaveLength(5);
  await userEvent.click(await button('Importar 4 filas con 4 advertencias'));
  await screen.findByRole('heading', { name: 'Se importó precios.csv' });
  expect([last(sent)?.query.get('confirmed'), last(sent)?.query.get('leave_out')]).toEqual(['seen', null]);
});

it('leaves out single rows or a kind, and requires a new check', async () => {
  const checks = [
    aDoubtfulReport(),
    aDoubtfulReport({
      created: 1,
      warned: 0,
      warnings: '',
      left_out: 3,
      rows: doubtful.map((row) => ({
        ...row,
        outcome: row.line === 3 ? 'created' : 'left_out',
        warnings: [],
      })),
    }),
  ];
  const sent = serveImports({ check: () => ndjsonOf(checks.shift() ?? aDoubtfulReport()) });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Dejar fuera la línea 5' }));
  expect(screen.queryByRole('button', { name: /^Importar/ })).not.toBeInTheDocument();
  await userEvent.click(await button('Cancelar'));
  expect(await button('Importar 4 filas con 4 advertencias')).toBeEnabled();

  await userEvent.click(await button(/^3 Precio: «0,375» se guardaría/));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Dejar fuera estas 3 filas' }));
  await userEvent.click(await button('Comprobar otra vez sin esas 3 filas'));
  await button('Importar 1 fila');
  // A range may include lines without a row.
  expect(last(sent)?.query.get('leave_out')).toBe('2,5-6');
  await userEvent.click(await button('3 Dejadas fuera'));
  expect(screen.getByRole('checkbox', { name: 'Dejar fuera la línea 6' })).toBeChecked();
  await userEvent.click(await button('Importar 1 fila'));
  await screen.findByRole('heading', { name: 'Se importó precios.csv' });
  expect([last(sent)?.path, last(sent)?.query.get('leave_out')]).toEqual(['/api/imports', '2,5-6']);
});

it('shows warnings that are new since the check', async () => {
  const answers = [
    ndjsonOf(aDoubtfulReport({ warnings: 'others' })),
    ndjsonOf(aDoubtfulReport({ kept: true, import_id: 3 })),
  ];
  const sent = serveImports({
    check: () => ndjsonOf(aDoubtfulReport()),
    done: () => answers.shift() ?? ndjsonOf(aDoubtfulReport()),
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  await userEvent.click(await button(/^Importar 4 filas/));
  expect(await screen.findByText(/^No se importó nada\. Los datos cambiaron después/)).toBeVisible();
  await userEvent.click(await button(/^Importar 4 filas/));
  await screen.findByRole('heading', { name: 'Se importó precios.csv' });
  expect(last(sent)?.query.get('confirmed')).toBe('others');
});

it('pages through all rows, and searches all cells', async () => {
  const rows = Array.from({ length: 450 }, (_, index) =>
    aRow(index + 2, [`P${index}`, `Gasa ${index}`, index === 321 ? 'Proveedor Ñandú' : ''], {
      label: `P${index} · Gasa ${index}`,
    }),
  );
  serveImports({
    readings: [aReading({ columns: ['Código', 'Nombre', 'Origen'] })],
    check: () => ndjsonOf(aReport({ created: 450, changed: 0, refused: 0, rows })),
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  const shown = () => within(screen.getByRole('table', { name: 'Nuevas' })).getAllByRole('row').length - 1;
  expect(await screen.findByText('1–200 de 450')).toBeVisible();
  expect(shown()).toBe(200);
  await userEvent.click(await button('Página siguiente'));
  await userEvent.click(await button('Página siguiente'));
  expect(screen.getByText('401–450 de 450')).toBeVisible();
  expect(shown()).toBe(50);
  expect(await button('Página siguiente')).toBeDisabled();

  const search = screen.getByRole('searchbox', { name: 'Buscar en las filas' });
  await userEvent.type(search, 'nandu gasa');
  expect(await screen.findByText('Origen: Proveedor Ñandú')).toBeVisible();
  expect(shown()).toBe(1);
  await userEvent.type(search, 'xyz');
  expect(await screen.findByText('Ninguna fila coincide con la búsqueda.')).toBeVisible();
});

it.each([503, 507])('keeps file and choices if a check is answered with %i', async (status) => {
  const sentence = 'El sistema no puede atender ahora.';
  const seen = vi.fn();
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    seen(this);
  });
  let tries = 0;
  const sent = serveImports({
    check: () => {
      tries += 1;
      return tries === 1 ? HttpResponse.json({ message: sentence }, { status }) : ndjsonOf(aReport());
    },
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.selectOptions(
    await screen.findByRole('combobox', { name: 'Codificación de caracteres' }),
    'UTF-8',
  );
  await userEvent.click(await button('Comprobar'));
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  // The check button is far below the message.
  expect(seen).toHaveBeenCalledWith(screen.getByRole('alert'));
  expect(screen.getByText('precios.csv')).toBeVisible();
  await userEvent.click(await button('Reintentar'));
  expect(await screen.findByRole('heading', { name: 'Esto es lo que pasaría' })).toBeVisible();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(last(sent)?.query.get('encoding')).toBe('utf-8');
  // A failed download loses nothing either.
  server.use(
    http.post('/api/imports/refused-rows', () => HttpResponse.json({ message: sentence }, { status })),
  );
  await userEvent.click(await button('Descargar la fila rechazada'));
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getByText('precios.csv')).toBeVisible();
});

it('restores the import for the same user after a new sign-in', async () => {
  const sent = serveImports({
    check: () => HttpResponse.json({ message: 'Ingrese.' }, { status: 401 }),
  });
  const { store } = await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.selectOptions(
    await screen.findByRole('combobox', { name: 'Codificación de caracteres' }),
    'UTF-8',
  );
  await userEvent.click(await button('Comprobar'));
  expect(await screen.findByText(/^Su sesión terminó\. Ingrese de nuevo/)).toBeVisible();
  expect(screen.queryByText('precios.csv')).not.toBeInTheDocument();

  act(() => {
    store.dispatch(signedIn('token-2'));
    store.dispatch(accountRead(aSupervisor()));
  });
  expect(await screen.findByText('Su sesión terminó. El archivo y lo que eligió siguen aquí.')).toBeVisible();
  expect(screen.getByText('precios.csv')).toBeVisible();
  await userEvent.click(await button('Comprobar'));
  await screen.findByText(/^Su sesión terminó\. Ingrese de nuevo/);
  expect([last(sent)?.query.get('encoding'), last(sent)?.body]).toEqual(['utf-8', CONTENT]);

  const other = { ...aSupervisor(), id: 99 };
  server.use(http.get('/api/auth/profile', () => HttpResponse.json(other)));
  act(() => {
    store.dispatch(signedIn('token-3'));
    store.dispatch(accountRead(other));
  });
  expect(await button('Elegir archivo')).toBeVisible();
  expect(screen.queryByText('precios.csv')).not.toBeInTheDocument();
});

it('saves the refused rows as a file, read with the same choices', async () => {
  const sent = serveImports({ readings: [asked, aReading()] });
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:', revokeObjectURL: () => {} }));
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    expect(this.download).toMatch(/^Rechazadas de precios \d{4}-\d\d-\d\d\.csv$/);
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.selectOptions(
    await screen.findByRole('combobox', { name: /¿Cuál es el separador decimal\?/ }),
    'coma',
  );
  await waitFor(async () => expect(await button('Comprobar')).toBeEnabled());
  await userEvent.click(await button('Comprobar'));
  await userEvent.click(await button('Descargar la fila rechazada'));
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  const { path, query, body } = last(sent) ?? {};
  expect([path, query?.get('decimal'), query?.get('noun'), body]).toEqual([
    '/api/imports/refused-rows',
    'comma',
    'products',
    CONTENT,
  ]);
});

it('imports nothing if nothing would change', async () => {
  serveImports({
    check: () =>
      inLines({ report: aReport({ created: 0, changed: 0, unchanged: 3, refused: 0, also: {}, rows: [] }) }),
  });
  const { router } = await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  expect(await screen.findByRole('heading', { name: 'Ya está todo al día' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Importar/ })).not.toBeInTheDocument();
  // There is nothing to lose either.
  await userEvent.click(screen.getAllByRole('link', { name: 'Importaciones' })[0] as HTMLElement);
  await waitFor(() => expect(router.state.location.pathname).toBe('/imports'));
});

it.each<[string, () => Response, RegExp]>([
  [
    'what went wrong in the end',
    () =>
      inLines(
        { done: 1, total: 3 },
        { error: { status: 503, message: 'El sistema está muy ocupado.', errors: [] } },
      ),
    /^El sistema está muy ocupado\.$/,
  ],
  [
    'an answer that breaks off',
    () => inLines({ done: 1, total: 3 }),
    /^Se perdió la conexión durante la importación.*Importar el mismo archivo otra vez no duplica nada\.$/,
  ],
])('shows %s, and keeps the file for a retry', async (_, done, text) => {
  let tries = 0;
  serveImports({
    check: () => inLines({ report: aReport({ refused: 0 }) }),
    done: () => {
      tries += 1;
      return tries === 1 ? done() : inLines({ report: aReport({ refused: 0, kept: true, import_id: 3 }) });
    },
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  await userEvent.click(await button('Importar 2 filas'));
  expect(await screen.findByText(text)).toBeVisible();
  await userEvent.click(await button('Importar 2 filas'));
  expect(await screen.findByRole('heading', { name: 'Se importó precios.csv' })).toBeVisible();
});

it('explains why a file is rejected, and accepts another', async () => {
  serveImports();
  const sentence = 'No se puede leer como tabla (PDF). Guárdela como XLSX, ODS o CSV.';
  server.use(
    http.post(
      '/api/imports/read',
      () =>
        HttpResponse.json(
          { message: [sentence], errors: [{ field: 'file', code: 'file.kind_unknown', message: sentence }] },
          { status: 422 },
        ),
      { once: true },
    ),
  );
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile('informe.pdf');
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  await chooseFile();
  expect(await screen.findByRole('heading', { name: 'Primeras filas' })).toBeVisible();
  expect(screen.queryByText(sentence)).not.toBeInTheDocument();
});

it('accepts one file dropped anywhere on the page', async () => {
  const sent = serveImports();
  await render({ at: '/imports/create' }, supervisor);
  await button('Elegir archivo');
  const files = [new File([CONTENT], 'a.csv'), new File([CONTENT], 'b.csv')];
  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files } });
  expect(await screen.findByRole('alert')).toHaveTextContent('Importe los archivos de uno en uno.');
  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files: files.slice(0, 1) } });
  expect(await screen.findByText('a.csv')).toBeVisible();
  await waitFor(() => expect(sent).toHaveLength(1));
});

it('rejects a file that is too large before sending it', async () => {
  const sent = serveImports();
  await render({ at: '/imports/create' }, supervisor);
  await button('Elegir archivo');
  const huge = new File(['x'], 'huge.csv');
  Object.defineProperty(huge, 'size', { value: 50_000_001 });
  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files: [huge] } });
  expect(await screen.findByRole('alert')).toHaveTextContent('el límite es 50 MB');
  expect(sent).toEqual([]);
});

it('asks before an unfinished import is left', async () => {
  serveImports();
  const { router } = await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await screen.findByRole('heading', { name: 'Primeras filas' });
  await userEvent.click(screen.getAllByRole('link', { name: 'Importaciones' })[0] as HTMLElement);
  const dialog = await screen.findByRole('dialog', { name: '¿Salir sin terminar la importación?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
  expect(router.state.location.pathname).toBe('/imports/create');
});

it('lists imports, and undoes one after confirmation', async () => {
  let undone = false;
  server.use(
    http.get('/api/imports', () =>
      HttpResponse.json(
        aPage([
          anImport(undone ? { undone_at: '2026-11-21T08:00:00Z', undone_by: { id: 2, email: 'x@y.z' } } : {}),
        ]),
      ),
    ),
    http.post('/api/imports/3/undo', () => {
      undone = true;
      return inLines({ done: 0, total: 3 }, { done: 3, total: 3 }, { import: anImport() });
    }),
  );
  await render({ at: '/imports' }, supervisor);
  const row = await screen.findByRole('row', { name: /precios\.csv Productos 20 nov 2026/ });
  await userEvent.click(within(row).getByRole('button', { name: 'Deshacer precios.csv' }));
  const dialog = await screen.findByRole('dialog', { name: '¿Deshacer la importación?' });
  expect(undone).toBe(false);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Deshacer' }));
  expect(await screen.findByText('Importación deshecha')).toBeVisible();
  // The list is fetched again.
  expect(await screen.findByText(/^Deshecha el 21 nov 2026/)).toBeVisible();
});

it('explains why an import cannot be undone', async () => {
  const sentence = 'No se puede deshacer: parte de lo importado ya se usa (2) o cambió después (0).';
  server.use(
    http.get('/api/imports', () => HttpResponse.json(aPage([anImport()]))),
    http.post('/api/imports/3/undo', () =>
      HttpResponse.json(
        { message: [sentence], errors: [{ field: null, code: 'import.depended_on', message: sentence }] },
        { status: 422 },
      ),
    ),
  );
  await render({ at: '/imports' }, supervisor);
  await userEvent.click(await button('Deshacer precios.csv'));
  const dialog = await screen.findByRole('dialog', { name: '¿Deshacer la importación?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Deshacer' }));
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(await button('Deshacer precios.csv')).toBeVisible();
});

it('shows the progress of undoing, and a lost connection', async () => {
  let go = (_line: string) => {};
  let end = () => {};
  const lines = new ReadableStream({
    start(controller) {
      const encoder = new TextEncoder();
      go = (line) => controller.enqueue(encoder.encode(`${line}\n`));
      end = () => controller.close();
    },
  });
  let accepts: string | null = '';
  server.use(
    http.get('/api/imports', () => HttpResponse.json(aPage([anImport()]))),
    http.post('/api/imports/3/undo', ({ request }) => {
      accepts = request.headers.get('Accept');
      return new HttpResponse(lines);
    }),
  );
  await render({ at: '/imports' }, supervisor);
  await userEvent.click(await button('Deshacer precios.csv'));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Deshacer' }));
  expect(await screen.findByText('Deshaciendo precios.csv…')).toBeInTheDocument();
  go('{"done": 500, "total": 43089}');
  expect(await screen.findByText('500 de 43.089 cambios deshechos')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Deshaciendo precios.csv…' })).toHaveAttribute(
    'max',
    '43089',
  );
  expect(accepts).toBe('application/x-ndjson');
  end();
  expect(await screen.findByText(/^Se perdió la conexión al deshacer\. Compruebe en la lista/)).toBeVisible();
  expect(await button('Deshacer precios.csv')).toBeEnabled();
});

it('is not available to ward staff', async () => {
  serveImports();
  await render({ at: '/imports/create' }, { user: aNurse() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
  expect(
    within(screen.getByRole('navigation', { name: 'Navegación principal' })).queryByRole('link', {
      name: 'Importaciones',
    }),
  ).not.toBeInTheDocument();
});
