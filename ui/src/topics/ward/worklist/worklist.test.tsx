import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { WorklistView } from '@/api/generated';
import { anAreaSheet } from '@/test/area';
import { aSheetAtWork } from '@/test/overview';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aSheet } from '@/test/sheets';
import { aDetail } from '@/test/ward';
import { anUnusualLine, aWorklist } from '@/test/worklist';

const supervisor = { user: aSupervisor() };

/** Serve these worklists in turn, the last one for all further requests. */
function serve(...turns: Partial<WorklistView>[]) {
  let turn = 0;
  server.use(
    http.get('/api/worklist', () => {
      const change = turns[Math.min(turn, turns.length - 1)];
      turn += 1;
      return HttpResponse.json(aWorklist(change));
    }),
  );
}

const open = () => render({ at: '/worklist' }, supervisor);
const group = async (name: RegExp) => within(await screen.findByRole('region', { name }));
const { patient } = aSheet();
const since = '2026-11-20T15:00:00Z';

it('shows one calm sentence if nothing waits', async () => {
  serve({});
  await open();
  expect(await screen.findByText('No hay nada por atender.')).toBeVisible();
});

it('is not for ward staff', async () => {
  await render({ at: '/worklist' }, { user: aNurse() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
});

it('shows a far-out line with its plot, author and link to the line', async () => {
  serve({ unusual_lines: [anUnusualLine()] });
  await open();
  const lines = await group(/^Cantidades fuera de lo común 1$/);
  const link = lines.getByRole('link');
  expect(link).toHaveAttribute('href', '/consumption-sheet-details/4/consumption-details?line=41');
  expect(link).toHaveTextContent('María Quispe Mamani 201-A');
  expect(link).toHaveTextContent('60 de Guante de nitrilo; lo habitual es 6.');
  expect(link).toHaveTextContent('20 nov 2026, 14:05 · Rosa Núñez');
  const plot = lines.getByRole('img', { name: '60; las 3 anteriores, entre 5 y 6' });
  expect(plot.querySelectorAll('circle')).toHaveLength(4);
});

it('names the area of a line, and voids it there', async () => {
  const area = { id: 2, name: 'UCI' };
  serve({ unusual_lines: [anUnusualLine({ sheet: null, area })] });
  server.use(
    http.get('/api/consumption-details/41', () => HttpResponse.json(aDetail(41))),
    http.get('/api/area-sheets/4', () => HttpResponse.json(anAreaSheet({ id: 4 }))),
  );
  await open();
  const lines = await group(/^Cantidades fuera de lo común 1$/);
  expect(lines.getByRole('link')).toHaveTextContent('Gasto del área UCI');
  await userEvent.click(lines.getByRole('button', { name: /^Anular/ }));
  expect(await screen.findByRole('group', { name: 'Gasto del área' })).toBeVisible();
});

it('judges a line right, and undoes it', async () => {
  serve({ unusual_lines: [anUnusualLine()] }, {}, { unusual_lines: [anUnusualLine()] });
  const sent: unknown[] = [];
  server.use(
    http.post('/api/worklist/judgements', async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete('/api/worklist/judgements', ({ request }) => {
      sent.push(new URL(request.url).search);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Está bien: 60 Guante de nitrilo' }));
  expect(await screen.findByText('No hay nada por atender.')).toBeVisible();
  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer' }));
  expect(await screen.findByText(/lo habitual es 6/)).toBeVisible();
  expect(sent).toEqual([{ kind: 'quantity_far_out', detail_id: 41 }, '?kind=quantity_far_out&detail_id=41']);
});

it('corrects a line to the usual quantity', async () => {
  serve({ unusual_lines: [anUnusualLine()] }, {});
  let sent: unknown;
  server.use(
    http.post('/api/consumption-details/41/correct', async ({ request }) => {
      sent = [request.headers.get('If-Match'), await request.json()];
      return HttpResponse.json({ id: 42 }, { status: 201 });
    }),
  );
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Corregir a 6: 60 Guante de nitrilo' }));
  expect(await screen.findByText('No hay nada por atender.')).toBeVisible();
  expect(sent).toEqual(['"3"', { quantity: 6 }]);
});

it('says that a line was changed meanwhile', async () => {
  serve({ unusual_lines: [anUnusualLine()] });
  server.use(
    http.post('/api/consumption-details/41/correct', () =>
      HttpResponse.json({ message: 'x' }, { status: 412 }),
    ),
  );
  await open();
  await userEvent.click(await screen.findByRole('button', { name: /^Corregir a 6/ }));
  expect(await screen.findByText(/cambió/)).toBeVisible();
});

it('has no correction without a usual quantity', async () => {
  serve({ unusual_lines: [anUnusualLine({ usual_quantity: null, latest_quantities: [60] })] });
  await open();
  const lines = await group(/^Cantidades/);
  expect(lines.getByText('60 de Guante de nitrilo; aún no hay una cantidad habitual.')).toBeVisible();
  expect(lines.queryByRole('button', { name: /^Corregir/ })).toBeNull();
  expect(lines.queryByRole('img')).toBeNull();
});

it('judges a sheet right', async () => {
  serve({ unusual_sheets: [{ kind: 'sheet_quiet', sheet: aSheetAtWork(), days: 4 }] }, {});
  let sent: unknown;
  server.use(
    http.post('/api/worklist/judgements', async ({ request }) => {
      sent = await request.json();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await open();
  expect(await screen.findByText('Sin líneas desde hace 4 días.')).toBeVisible();
  await userEvent.click(await screen.findByRole('button', { name: 'Está bien: María Quispe Mamani' }));
  expect(await screen.findByText('No hay nada por atender.')).toBeVisible();
  expect(sent).toEqual({ kind: 'sheet_quiet', sheet_id: 4 });
});

it('marks the use of a recalled lot as seen', async () => {
  const use = {
    detail_id: 41,
    consumption_sheet_id: 7,
    closed: true,
    patient,
    room: '201-A',
    product: { id: 8, name: 'Guante de nitrilo', code: null, unit: 'par' },
    lot: 'L-2207',
    quantity: 2,
    at: since,
    by: 'Rosa Núñez',
    reason: 'No había otro',
  };
  serve({ recalled_uses: [use] }, {});
  server.use(
    http.post('/api/consumption-details/41/recall-seen', () => new HttpResponse(null, { status: 204 })),
  );
  await open();
  const link = (await group(/^Retirados y usados/)).getByRole('link');
  expect(link).toHaveAttribute('href', '/consumption-sheet-details/7/consumption-details?line=41');
  expect(link).toHaveTextContent('2 Guante de nitrilo · lote L-2207 · Motivo: No había otro');
  await userEvent.click(
    screen.getByRole('button', { name: 'Visto: Guante de nitrilo, María Quispe Mamani' }),
  );
  expect(await screen.findByText('No hay nada por atender.')).toBeVisible();
});

it('links to the pages that settle everything else', async () => {
  const waiting = { consumption_sheet_id: 7, closed: true, patient, room: '201-A', since };
  serve({
    late_entries: [{ ...waiting, entries: 2 }],
    unlisted_items: [{ ...waiting, closed: false, items: 1 }],
    discharges: [{ consumption_sheet_id: 8, patient, room: '202', at: since }],
    unknown_codes: [{ system: 'gtin', code: '09520000000011', times: 3, last_at: since }],
    held_messages: 5,
    products_without_price: 1,
  });
  await open();
  await group(/^Líneas que llegaron tarde 1$/);
  const links = within(screen.getByRole('main')).getAllByRole('link');
  expect(links.map((link) => [link.getAttribute('href'), link.textContent])).toEqual([
    ['/consumption-sheets/closed/7', expect.stringContaining('2 líneas llegaron tarde')],
    ['/consumption-sheet-details/7/consumption-details', expect.stringContaining('1 artículo pendiente')],
    [
      '/consumption-sheet-details/8/consumption-details',
      expect.stringContaining('Alta: 20 nov 2026, 15:00.'),
    ],
    ['/products/unknown-codes', expect.stringContaining('09520000000011')],
    ['/messages', '5 mensajes del hospital esperan una decisión.'],
    ['/products?sort=price', '1 producto no tiene precio.'],
  ]);
  await userEvent.click(screen.getByRole('button', { name: /^Vincular/ }));
  expect(await screen.findByRole('dialog', { name: 'Vincular código' })).toBeVisible();
});

it('shows whose lines a device has not sent, and judges them right', async () => {
  const outbox = {
    id: 7,
    by: 'Nuria Paz',
    area: 'Urgencias',
    lines: 3,
    oldest_at: since,
    reported_at: '2026-11-20T15:30:00Z',
  };
  serve({ device_outboxes: [outbox] }, {});
  const sent: unknown[] = [];
  server.use(
    http.post('/api/worklist/judgements', async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await open();
  const devices = await group(/^Equipos con líneas sin enviar 1$/);
  const row = devices.getByRole('listitem');
  expect(row).toHaveTextContent('Nuria Paz Urgencias');
  expect(row).toHaveTextContent('3 líneas sin enviar desde el 20 nov 2026, 15:00.');
  expect(row).toHaveTextContent('Última noticia del equipo: 20 nov 2026, 15:30');
  expect(devices.queryByRole('link')).not.toBeInTheDocument();
  await userEvent.click(devices.getByRole('button', { name: 'Está bien: Nuria Paz' }));
  expect(await screen.findByText('No hay nada por atender.')).toBeVisible();
  expect(sent).toEqual([{ kind: 'lines_unsent', outbox_id: 7 }]);
});
