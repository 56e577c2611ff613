import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { ReconciliationAnswer } from '@/api/generated';
import {
  aField,
  aReading,
  button,
  CONTENT,
  chooseFile,
  last,
  serveImports,
  supervisor,
} from '@/test/imports';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { refusal } from '@/test/ward';

const row = {
  area_id: 1,
  area: 'Urgencias',
  product_id: 8,
  code: 'G-1',
  product: 'Gasa',
  unit: 'pieza',
  handed_out: 12,
  treatment: 6,
  area_use: 1,
  wasted: 2,
  returned: 2,
  recorded: 7,
  difference: 5,
};

const unknown = {
  treatment: null,
  area_use: null,
  wasted: null,
  returned: null,
  recorded: null,
  difference: null,
};

const anAnswer = (change: Partial<ReconciliationAnswer> = {}): ReconciliationAnswer => ({
  period: { since: '2026-11-01', until: '2026-11-20' },
  items: [
    row,
    { ...row, product_id: 9, code: 'T-1', product: 'Tul', handed_out: 1, recorded: 4, difference: -3 },
    { ...row, product_id: null, code: 'X-9', product: 'Sonda', ...unknown },
    { ...row, product_id: 10, code: 'V-1', product: 'Venda', recorded: 12, difference: 0 },
  ],
  all_items: 4,
  doubts: [
    { line: 3, counts: true, messages: ['La línea 2 dice lo mismo.'] },
    { line: 7, counts: false, messages: ['Complete «Cantidad».'] },
  ],
  all_doubts: 2,
  counted: 9,
  left_out: 0,
  ...change,
});

const fields = (...names: string[]) => [
  aField('product_code', 'Código', { kind: 'code' }),
  ...['area', 'handed_out_on'].map((name) =>
    aField(name, name, { column: names.includes(name) ? name : null }),
  ),
];

/** Serve the comparison with these answers, in turn, and collect the requests. */
function serveComparison(
  answers: (() => Response)[] = [() => HttpResponse.json(anAnswer())],
  names = ['area', 'handed_out_on'],
) {
  serveImports({ readings: [aReading({ noun: 'handed_out', fields: fields(...names) })] });
  const sent: { path: string; query: URLSearchParams; body: string }[] = [];
  server.use(
    http.post('/api/reports/reconciliation', async ({ request }) => {
      const { pathname, searchParams } = new URL(request.url);
      sent.push({ path: pathname, query: searchParams, body: await request.text() });
      return answers[Math.min(sent.length, answers.length) - 1]?.() as Response;
    }),
  );
  return sent;
}

const open = (query = '') => render({ at: `/reports/reconciliation${query}` }, supervisor);

it('shows the differences in words, with the rows to check above', async () => {
  const sent = serveComparison();
  await open();
  await chooseFile('entregas.csv');
  await userEvent.click(await button('Comparar'));
  const heading = await screen.findByRole('heading', { name: /Entregado y registrado/ });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(sent.map(({ body }) => body)).toEqual([CONTENT]);
  expect(last(sent)?.query.has('noun')).toBe(false);
  const table = screen.getByRole('table', { name: /Entregado y registrado/ });
  const cells = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((one) => within(one).getAllByRole('cell').at(-1)?.textContent);
  expect(cells).toEqual([
    '5 sin registrarRegistrar como gasto del área',
    '3 de más',
    'No está en Consumo',
    'Coincide',
  ]);
  expect(within(table).getByRole('link', { name: 'Registrar como gasto del área: Gasa' })).toHaveAttribute(
    'href',
    '/consumption-sheets/areas/1?product=8&quantity=5',
  );
  const [headings, first] = within(table).getAllByRole('row');
  expect(headings).toHaveTextContent(
    'EntregadoTratamientoGasto del áreaDesechadoDevueltoRegistradoSin explicar',
  );
  expect(first).toHaveTextContent('12612275 sin registrar');
  const doubts = screen.getByRole('region', { name: '2 filas por revisar' });
  expect(doubts).toHaveTextContent('La línea 2 dice lo mismo.');
  expect(doubts).toHaveTextContent('Complete «Cantidad».No cuenta');
  expect(doubts.compareDocumentPosition(table)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('leaves out rows and takes them back', async () => {
  const sent = serveComparison([
    () => HttpResponse.json(anAnswer()),
    () => HttpResponse.json(anAnswer({ doubts: [], all_doubts: 0, left_out: 1 })),
    () => HttpResponse.json(anAnswer()),
  ]);
  await open();
  await chooseFile();
  await userEvent.click(await button('Comparar'));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Dejar fuera la línea 3' }));
  await userEvent.click(await button('Comparar otra vez sin esa fila'));
  expect(await screen.findByText('Usted dejó fuera: 3')).toBeVisible();
  expect(last(sent)?.query.get('leave_out')).toBe('3');
  await userEvent.click(await button('Incluir otra vez todas las filas'));
  await userEvent.click(await button('Comparar otra vez con todas las filas'));
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(last(sent)?.query.has('leave_out')).toBe(false);
});

it('keeps the file and every choice when the server refuses', async () => {
  const sent = serveComparison(
    [() => refusal('area_id', 'Complete «Área».', false, 'required'), () => HttpResponse.json(anAnswer())],
    [],
  );
  await open('?from=2026-11-01&to=2026-11-20');
  await chooseFile('entregas.csv');
  await userEvent.click(await button('Comparar'));
  expect(await screen.findByText('Complete «Área».')).toBeVisible();
  expect(screen.getByText('entregas.csv')).toBeVisible();
  expect(screen.getByRole('textbox', { name: /Desde/ })).toHaveValue('01/11/2026');
  await userEvent.click(await button('Comparar'));
  await screen.findByRole('heading', { name: /Entregado y registrado/ });
  expect(last(sent)?.query.toString()).toBe('from=2026-11-01&to=2026-11-20');
});

it('says what the file lacks', async () => {
  serveComparison(undefined, []);
  await open();
  await chooseFile();
  expect(await screen.findByText(/El archivo no tiene columna de área/)).toBeVisible();
  expect(screen.getAllByText(/El archivo no tiene columna de día/)).toHaveLength(2);
});

it('downloads the workbook of the report that is shown', async () => {
  serveComparison();
  const asked: URL[] = [];
  server.use(
    http.post('/api/reports/reconciliation/workbook', ({ request }) => {
      asked.push(new URL(request.url));
      return HttpResponse.json({ statusCode: 503, message: 'Más tarde' }, { status: 503 });
    }),
  );
  await open();
  await chooseFile();
  await userEvent.click(await button('Comparar'));
  await userEvent.click(await button('Exportar a Excel (XLSX)'));
  expect(await screen.findByText('Más tarde')).toBeVisible();
  expect(asked[0]?.search).toBe('?from=2026-11-01&to=2026-11-20');
  expect(screen.getByRole('table', { name: /Entregado y registrado/ })).toBeVisible();
});
