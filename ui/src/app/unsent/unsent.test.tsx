import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { serverNow } from '@/api/serverClock';
import { allEntries, changeEntry, putEntry } from '@/outbox/entries';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { setRecordDelay } from '@/test/setRecordDelay';
import { at, refusal, serveWard } from '@/test/ward';

setRecordDelay(20);

const MINUTE = 60_000;

/** An entry that a nurse made this many minutes ago. */
const entryOf = (key: string, minutes: number, user = aNurse()) => ({
  key,
  user_id: user.id,
  user_name: 'Lucía P.',
  sheet_id: 1,
  items: [
    {
      product: {
        id: 1,
        name: 'Gasa estéril',
        code: 'GR-1',
        gtin: null,
        unit: 'par',
        active: true,
        decimals: 3,
        asks_lot: false,
        asks_serial: false,
        implant: false,
      },
      quantity: '4',
      gtin: null,
      lot: null,
      expiry: null,
      serial: null,
      acknowledged: [],
    },
  ],
  staff_id: 7,
  area_id: null,
  kit_id: null,
  occurred_at: new Date(serverNow().getTime() - minutes * MINUTE).toISOString(),
  state: 'waiting' as const,
  tries: 0,
  problem: null,
});
const unanswered = () =>
  server.use(http.post('/api/consumption-sheets/1/consumption-details', () => HttpResponse.error()));
const bar = (text: RegExp) => screen.findByRole('button', { name: text });

it.each([
  [12, '1 sin enviar · desde hace 12 min', 'amber'],
  [31, '1 sin enviar · desde hace 31 min', 'red'],
  [125, '1 sin enviar · desde hace 2 h', 'red'],
])('shows the bar for an entry of %i minutes', async (minutes, text, tone) => {
  unanswered();
  await putEntry(entryOf('a', minutes));
  await render({ at: '/' }, { user: aNurse() });
  expect(await bar(new RegExp(text))).toHaveAttribute('data-tone', tone);
});

it('lists entries with reasons, and sends them', async () => {
  unanswered();
  await putEntry(entryOf('a', 2));
  await render({ at: '/' }, { user: aNurse() });
  await userEvent.click(await bar(/1 sin enviar/));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sin enviar en este equipo' }));
  expect(dialog.getByRole('heading', { name: 'Hoja 1' })).toBeVisible();
  expect(dialog.getByText('4 Gasa estéril · GR-1')).toBeVisible();
  serveWard();
  await userEvent.click(dialog.getByRole('button', { name: 'Enviar ahora' }));
  expect(await dialog.findByText('No tiene nada sin enviar en este equipo.')).toBeVisible();
  await waitFor(async () => expect(await allEntries()).toEqual([]));
  await userEvent.click(dialog.getByRole('button', { name: 'Cerrar' }));
  await waitFor(() => expect(screen.queryByText(/sin enviar/)).toBeNull());
});

it('discards an entry after confirmation', async () => {
  unanswered();
  await putEntry(entryOf('a', 2));
  await render({ at: '/' }, { user: aNurse() });
  await userEvent.click(await bar(/1 sin enviar/));
  await userEvent.click(await screen.findByRole('button', { name: 'Descartar' }));
  const question = within(await screen.findByRole('group', { name: '¿Descartar esta línea?' }));
  await userEvent.click(question.getByRole('button', { name: 'Descartar' }));
  // The server may have it: it is sent until the server acknowledges it, and then voided.
  expect(await screen.findByText(/Línea deshecha/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Descartar' })).toBeNull();
  const ward = serveWard();
  await userEvent.click(screen.getByRole('button', { name: 'Enviar ahora' }));
  await waitFor(async () => expect(await allEntries()).toEqual([]));
  expect(ward.deleted).toHaveLength(1);
});

it('leads to correcting a refused entry, and keeps it', async () => {
  const ward = serveWard();
  ward.refuse = ({ quantity: amount }) => (amount === 4 ? refusal('quantity', 'Demasiado.') : undefined);
  await putEntry(entryOf('a', 1));
  await render({ at: '/' }, { user: aNurse() });
  const sign = await bar(/1 sin enviar/);
  await waitFor(() => expect(sign).toHaveAttribute('data-tone', 'red'));
  await userEvent.click(sign);
  expect(await within(await screen.findByRole('dialog')).findByText('Demasiado.')).toBeVisible();
  await userEvent.click(screen.getByRole('link', { name: 'Corregir' }));
  const corrected = await screen.findByLabelText('Cantidad de Gasa estéril · GR-1');
  expect(await allEntries()).toMatchObject([{ key: 'a', state: 'refused' }]);
  await userEvent.type(corrected, '3{Enter}', { initialSelectionStart: 0, initialSelectionEnd: 9 });
  await waitFor(() => expect(ward.details).toMatchObject([{ quantity: 3 }]));
  await waitFor(async () => expect(await allEntries()).toEqual([]));
});

it('shows other users whose entries wait, but not what', async () => {
  await putEntry(entryOf('a', 2));
  await putEntry(entryOf('b', 1));
  await render({ at: '/auth/login' });
  expect(await screen.findByText('Lucía P.: inicie sesión para enviar 2.')).toBeVisible();
  cleanup();
  await render({ at: '/' }, { user: aSupervisor() });
  await userEvent.click(await bar(/Lucía P\. tiene 2 líneas sin enviar en este equipo/));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent(/Lucía P\. tiene 2 líneas sin enviar en este equipo, desde /);
  expect(dialog).not.toHaveTextContent('Gasa');
  expect(within(dialog).queryByRole('button', { name: /Enviar|Descartar/ })).toBeNull();
  expect(await allEntries()).toHaveLength(2);
});

describe('signing out', () => {
  async function leave() {
    const out: unknown[] = [];
    server.use(
      http.post('/api/auth/logout', () => {
        out.push('signed out');
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await putEntry(entryOf('a', 2));
    await putEntry(entryOf('b', 1));
    await render({ at }, { user: aNurse() });
    await screen.findByText('+ 2 sin enviar');
    await userEvent.click(screen.getByRole('button', { name: 'Cerrar sesión' }));
    return within(await screen.findByRole('dialog', { name: '¿Cerrar sesión con 2 sin enviar?' }));
  }
  const login = () => screen.findByLabelText('Correo electrónico');

  it('keeps unsent entries on the device', async () => {
    serveWard().refuse = () => HttpResponse.error();
    const dialog = await leave();
    await userEvent.click(dialog.getByRole('button', { name: 'Dejarlas en este equipo' }));
    await login();
    expect(await allEntries()).toHaveLength(2);
  });

  it('sends first, and then signs out', async () => {
    const ward = serveWard();
    ward.refuse = () => HttpResponse.error();
    const dialog = await leave();
    await userEvent.click(dialog.getByRole('button', { name: 'Enviar ahora' }));
    await waitFor(() => expect(ward.sent.length).toBeGreaterThan(1));
    expect(screen.queryByLabelText('Correo electrónico')).toBeNull();
    ward.refuse = undefined;
    await userEvent.click(dialog.getByRole('button', { name: 'Enviar ahora' }));
    await login();
    expect(ward.details).toHaveLength(2);
  });

  it('discards after a second confirmation', async () => {
    serveWard().refuse = () => HttpResponse.error();
    const dialog = await leave();
    await userEvent.click(dialog.getByRole('button', { name: 'Descartar 2' }));
    const sure = within(await screen.findByRole('dialog', { name: '¿Descartar 2 sin enviar?' }));
    await userEvent.click(sure.getByRole('button', { name: 'Descartar 2' }));
    await login();
    // The server may have the one that was sent: it is voided in the next session.
    expect(await allEntries()).toMatchObject([{ key: 'a', undone: true }]);
  });
});

it('shows a stored refused entry without sending it', async () => {
  const ward = serveWard();
  await putEntry(entryOf('a', 2));
  await changeEntry('a', { state: 'refused', problem: [{ field: null, code: 'x', text: 'No.' }] });
  await render({ at }, { user: aNurse() });
  expect(await screen.findByText('No.')).toBeVisible();
  expect(ward.sent).toEqual([]);
});
