import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { SheetPatientView, ShiftView } from '@/api/generated';
import { storeDrafts } from '@/outbox/drafts';
import { entered, type OutboxLine } from '@/outbox/outboxSlice';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aNotice, aShift, aShiftSheet } from '@/test/shift';
import { aWard, aWardRoom, aWardSheet } from '@/test/wardBoard';
import { openWorkOf } from './openWork';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
  sessionStorage.clear();
});

/** Serve a shift; returns the moments that were asked for. */
function serve(change: Partial<ShiftView> = {}) {
  const asked: (string | null)[] = [];
  server.use(
    http.get('/api/shift', ({ request }) => {
      const since = new URL(request.url).searchParams.get('since');
      asked.push(since);
      const until = aShift().shifts[1]?.since === since ? '2026-11-21T06:00:00Z' : null;
      return HttpResponse.json(aShift({ ...change, ...(since && { since, until }) }));
    }),
  );
  return asked;
}

const section = (name: string) => screen.findByRole('region', { name });
const items = async (name: string) =>
  within(await section(name))
    .getAllByRole('listitem')
    .map((item) => item.textContent);

it('names the area of what was recorded for no patient', async () => {
  const area = { id: 2, name: 'UCI' };
  serve({ sheets: [aShiftSheet({ id: 7, patient: null, room: null, area })] });
  await render({ at: '/shift' }, { user: aNurse() });
  expect(
    await screen.findByText('Desde las 06:00 usted registró 0 líneas de 0 pacientes y 12 del área.'),
  ).toBeVisible();
  expect(await items('Lo que registró')).toEqual([
    'Gasto del área UCI  12 líneas 34,5 unidades · última a las 11:35',
  ]);
  const [link] = within(await section('Lo que registró')).getAllByRole('link');
  expect(link).toHaveAttribute('href', '/consumption-sheets/areas/2?sheet=7');
});

it('lists what was recorded by patient, and sums it up', async () => {
  serve({
    sheets: [
      aShiftSheet(),
      aShiftSheet({
        id: 5,
        closed: true,
        room: '203',
        lines: 1,
        units: 1,
        patient: { ...(aShiftSheet().patient as SheetPatientView), id: 12 },
      }),
    ],
  });
  await render({ at: '/shift' }, { user: aNurse() });
  expect(await screen.findByText('Desde las 06:00 usted registró 13 líneas de 2 pacientes.')).toBeVisible();
  expect(await items('Lo que registró')).toEqual([
    '202Ofelia Zamudio 71 años · HC-104 12 líneas 34,5 unidades · última a las 11:35',
    '203Ofelia Zamudio 71 años · HC-104 Hoja cerrada1 línea 1 unidad · última a las 11:35',
  ]);
  const links = within(await section('Lo que registró')).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/consumption-sheet-details/4/consumption-details',
    '/consumption-sheets/closed/5',
  ]);
});

it('says that nothing was recorded and nothing is open', async () => {
  serve();
  server.use(http.get('/api/ward', () => HttpResponse.json(aWard())));
  await render({ at: '/shift' }, { user: aNurse() });
  expect(await screen.findByText(/^Aún no ha registrado nada/)).toBeVisible();
  expect(await screen.findByText('No le queda nada por terminar.')).toBeVisible();
  expect(await screen.findByText('Todas las camas ocupadas tienen líneas hoy.')).toBeVisible();
  expect(screen.queryByRole('region', { name: /Cambios/ })).toBeNull();
});

it('chooses this shift, the one before, or a time', async () => {
  const asked = serve();
  await render({ at: '/shift' }, { user: aNurse() });
  await userEvent.click(await screen.findByText('El anterior'));
  await waitFor(() => expect(asked).toEqual([null, '2026-11-20T22:00:00Z']));
  expect(await screen.findByText(/^El 20 nov, de 22:00 a 06:00 usted registró/)).toBeVisible();
  await userEvent.click(screen.getByText('Desde'));
  fireEvent.change(screen.getByLabelText('Desde', { selector: '[type=time]' }), {
    target: { value: '07:30' },
  });
  await waitFor(() => expect(asked.at(-1)).toBe('2026-11-21T07:30:00.000Z'));
  expect(await screen.findByText(/^Desde las 07:30/)).toBeVisible();
});

it('lists both shifts together shortly after a change of shifts', async () => {
  serve({ since: '2026-11-20T22:00:00Z', until: null });
  await render({ at: '/shift' }, { user: aNurse() });
  expect(await screen.findByText(/^Desde el 20 nov a las 22:00 usted registró/)).toBeVisible();
  expect(screen.getByRole('radio', { name: 'Desde' })).toBeChecked();
});

it('ignores a moment in the address that is too old', async () => {
  const asked = serve();
  await render({ at: '/shift?since=2026-11-01T00:00:00Z' }, { user: aNurse() });
  await screen.findByText(/^Aún no ha registrado nada/);
  expect(asked).toEqual([null]);
});

const aLine = (change: Partial<OutboxLine>) =>
  ({
    key: 'k',
    sheetId: 4,
    items: [{}],
    status: 'waiting',
    occurredAt: '2026-11-21T11:00:00Z',
    ...change,
  }) as OutboxLine;

it('counts what this device still has of each sheet', () => {
  const code = { key: 'c', kind: 'unknown' };
  storeDrafts(3, 4, { rows: [code, { key: 'd' }], begun: null });
  storeDrafts(3, 7, { rows: [], begun: {} as never });
  storeDrafts(33, 8, { rows: [code], begun: null });
  const lines = [
    aLine({ key: 'a', items: [{}, {}] as never }),
    aLine({ key: 'b', status: 'refused' }),
    aLine({ key: 'e', status: 'recorded' }),
    aLine({ key: 'f', sheetId: 9, status: 'sending' }),
  ];
  expect(openWorkOf(3, lines)).toEqual([
    { sheetId: 4, unsent: 2, refused: 1, unfinished: 1, codes: 1 },
    { sheetId: 9, unsent: 1, refused: 0, unfinished: 0, codes: 0 },
    { sheetId: 7, unsent: 0, refused: 0, unfinished: 1, codes: 0 },
  ]);
});

it('lists unsent lines and lines without product, each with its sheet', async () => {
  serve({
    sheets: [aShiftSheet()],
    unlisted_items: [
      {
        id: 1,
        sheet: aNotice().sheet,
        description: 'bisturí láser',
        quantity: 2,
        created_at: '2026-11-21T10:00:00Z',
      },
    ],
  });
  const { store } = await render({ at: '/shift' }, { user: aNurse() });
  store.dispatch(entered({ line: aLine({ status: 'refused' }), isKept: true }));
  store.dispatch(entered({ line: aLine({ key: 'b', sheetId: 9, status: 'refused' }), isKept: true }));
  await waitFor(async () =>
    expect(await items('Por terminar')).toEqual([
      'Ofelia Zamudio, 2021 línea por corregir o confirmar',
      'Hoja 91 línea por corregir o confirmar',
      expect.stringMatching(/^Ofelia Zamudio, 202Sin producto todavía: 2 bisturí láser.* 10:00$/),
    ]),
  );
});

it('names the beds of the area without a line today', async () => {
  serve();
  const quiet = aWardSheet({ id: 6, lines_today: 0 });
  const areas: (string | null)[] = [];
  server.use(
    http.get('/api/ward', ({ request }) => {
      areas.push(new URL(request.url).searchParams.get('area_id'));
      return HttpResponse.json(aWard({ rooms: [aWardRoom({ sheets: [aWardSheet(), quiet] })] }));
    }),
  );
  await render({ at: '/shift' }, { user: aNurse({ ward: { area: { id: 2, name: 'Cirugía' } } }) });
  expect(await items('Sin líneas hoy: Cirugía 1')).toEqual(['201-A María Quispe Mamani']);
  expect(areas).toEqual(['2']);
});

it('lists what others changed', async () => {
  serve({ notices: [aNotice({ seen_at: '2026-11-21T11:30:00Z' })] });
  await render({ at: '/shift' }, { user: aNurse() });
  const [told] = await items('Cambios en sus líneas 1');
  expect(told).toMatch(/^Marta Torres corrigió su línea: Gasa 10 × 10, 11 → 1/);
});

it('prints the page', async () => {
  serve();
  const print = vi.spyOn(window, 'print').mockImplementation(() => {});
  await render({ at: '/shift' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Imprimir' }));
  expect(print).toHaveBeenCalledOnce();
});
