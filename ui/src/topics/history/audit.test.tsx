import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { AuditAction, HistoryView } from '@/api/generated';
import { anAdministrator, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

let id = 100;
const anEntry = (action: string, entity: string, change: Partial<HistoryView> = {}): HistoryView => ({
  id: id--,
  at: '2026-11-20T14:05:00Z',
  user: { id: 3, email: 'rosa@hospital.test' },
  action: action as AuditAction,
  entity,
  entity_id: 41,
  sheet_id: null,
  patient_id: null,
  api_key: null,
  changes: {},
  person: 'Rosa Núñez',
  patient: null,
  subject: null,
  names: {},
  who: 'Rosa Núñez',
  did: 'hizo algo',
  in_words: [],
  ...change,
});

const choices = (texts: Record<string, string>) =>
  Object.entries(texts).map(([value, text]) => ({ value, text }));

/** The answer of the log, with what its filters can select. */
function aLog(items: HistoryView[], meta = {}, entity: string | null = null) {
  const page = aPage(items);
  const actions: Record<string, string> =
    entity === 'patient' ? { 'patient.read': 'Consulta' } : { 'area.created': 'Creación' };
  return {
    ...page,
    meta: { ...page.meta, ...meta },
    entities: choices({ patient: 'Pacientes', area: 'Áreas', user: 'Usuarios' }),
    actions: entity ? choices(actions) : [],
  };
}

/** Serve that log, and collect the requests. */
function serveLog(items: HistoryView[], meta = {}) {
  const asked: string[] = [];
  server.use(
    http.get('/api/audit', ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      return HttpResponse.json(aLog(items, meta, searchParams.get('entity')));
    }),
    http.get('/api/users', () => HttpResponse.json(aPage([aSupervisor()]))),
    http.get('/api/users/3', () => HttpResponse.json({ message: 'gone' }, { status: 404 })),
    http.get('/api/users/2', () => HttpResponse.json(aSupervisor())),
  );
  return asked;
}

const admin = { user: anAdministrator() };
const told = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);

it('shows the words of the server, and only what a sentence does not say', async () => {
  serveLog([
    anEntry('detail.edited', 'consumption_detail', {
      sheet_id: 7,
      patient: 'José Ibáñez',
      did: 'corrigió Gasa estéril en la hoja de José Ibáñez',
      in_words: [
        { field: 'quantity', shown: 'change', text: 'Cantidad: antes 2, ahora 1.234,5' },
        { field: 'reason', shown: 'note', text: 'Motivo: Faltó una' },
      ],
    }),
    anEntry('recall.closed', 'recall', {
      did: 'terminó un retiro',
      in_words: [{ field: 'name', shown: 'data', text: 'Nombre: Gasa' }],
    }),
  ]);
  await render({ at: '/audit' }, admin);
  expect(await told()).toEqual([
    expect.stringContaining(
      'Rosa Núñez corrigió Gasa estéril en la hoja de José Ibáñez. Ver hoja Cantidad: antes',
    ),
    'Cantidad: antes 2, ahora 1.234,5',
    'Motivo: Faltó una',
    expect.stringMatching(/Rosa Núñez terminó un retiro\.\s*$/),
  ]);
  expect(screen.getByRole('link', { name: 'Ver hoja' })).toHaveAttribute('href', '/consumption-sheets/7');
});

it('folds the data of a created record', async () => {
  serveLog([
    anEntry('patient.created', 'patient', {
      in_words: [
        { field: 'name', shown: 'data', text: 'Nombre: José' },
        { field: 'first_surname', shown: 'data', text: 'Primer apellido: Ibáñez' },
      ],
    }),
  ]);
  await render({ at: '/audit' }, admin);
  const summary = await screen.findByText('Ver datos');
  expect(screen.getByText('Nombre: José')).not.toBeVisible();
  await userEvent.click(summary);
  expect(screen.getByText('Nombre: José')).toBeVisible();
});

it('fetches the words again in another language', async () => {
  server.use(
    http.get('/api/audit', ({ request }) => {
      const did = request.headers.get('Accept-Language') === 'en' ? 'signed in' : 'ingresó';
      return HttpResponse.json(aLog([anEntry('session.signed_in', 'user', { did })]));
    }),
  );
  await render({ at: '/audit' }, admin);
  await screen.findByText('ingresó.');
  await userEvent.click(screen.getAllByRole('button', { name: 'Su cuenta' })[0] as HTMLElement);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'English' }));
  expect(await screen.findByText('signed in.')).toBeVisible();
});

it('groups entries by day', async () => {
  serveLog([
    anEntry('session.signed_in', 'user'),
    anEntry('session.signed_in', 'user', { at: '2026-11-19T23:59:00Z' }),
  ]);
  await render({ at: '/audit' }, admin);
  const yesterday = await screen.findByRole('region', { name: '19 nov 2026' });
  expect(within(yesterday).getAllByRole('listitem')).toHaveLength(1);
  expect(screen.getByRole('region', { name: '20 nov 2026' })).toHaveTextContent('14:05');
});

it('filters by user, record, action and days, kept in the URL', async () => {
  const asked = serveLog([anEntry('patient.read', 'patient', { subject: 'José Ibáñez' })]);
  const { router } = await render({ at: '/audit?from=2026-11-01&to=2026-11-30' }, admin);
  expect(screen.queryByRole('combobox', { name: 'Qué pasó' })).toBeNull();
  await screen.findByRole('option', { name: 'Pacientes' });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sobre' }), 'Pacientes');
  await screen.findByRole('option', { name: 'Consulta' });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Qué pasó' }), 'Consulta');
  await userEvent.click(screen.getByRole('button', { name: 'Quién' }));
  await userEvent.click(await screen.findByRole('option', { name: /Lucía Paredes/ }));
  await waitFor(() =>
    expect(asked.at(-1)).toBe(
      '?user_id=2&action=patient.read&from=2026-11-01&to=2026-11-30&page=1&entity=patient',
    ),
  );
  expect(router.state.location.search).toBe(
    '?from=2026-11-01&to=2026-11-30&about=patient&action=patient.read&user=2',
  );
  // The other kind of record has no such action.
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sobre' }), 'Áreas');
  await waitFor(() => expect(asked.at(-1)).not.toContain('action='));
  expect(router.state.location.search).toBe('?from=2026-11-01&to=2026-11-30&about=area&user=2');
});

it('filters by a clicked user, even a deleted one', async () => {
  const asked = serveLog([anEntry('session.signed_in', 'user')]);
  await render({ at: '/audit' }, admin);
  await userEvent.click(await screen.findByRole('link', { name: 'Rosa Núñez' }));
  await waitFor(() => expect(asked.at(-1)).toContain('user_id=3'));
  expect(await screen.findByRole('button', { name: 'Quién: #3' })).toBeVisible();
});

it('filters by one record in the URL until that is removed', async () => {
  const asked = serveLog([anEntry('user.updated', 'user', { subject: 'ana@hospital.test' })]);
  await render({ at: '/audit?about=user&id=41' }, admin);
  await screen.findByText(/hizo algo/);
  expect(asked.at(-1)).toContain('entity_id=41');
  await userEvent.click(screen.getByRole('button', { name: 'Quitar el filtro: ana@hospital.test' }));
  await waitFor(() => expect(asked.at(-1)).not.toContain('entity_id'));
});

it('pages by cursor if the total is only a lower bound', async () => {
  const asked = serveLog([anEntry('session.signed_in', 'user')], {
    total: 10_000,
    pages: 400,
    total_is_lower_bound: true,
    next: 'abc',
  });
  await render({ at: '/audit' }, admin);
  await userEvent.click(await screen.findByRole('link', { name: 'Página siguiente' }));
  await waitFor(() => expect(asked.at(-1)).toContain('cursor=abc'));
});

it('says that nothing was found', async () => {
  serveLog([]);
  await render({ at: '/audit?about=area' }, admin);
  expect(await screen.findByText('No se encontraron datos')).toBeVisible();
});

it('is available only to users who may read it', async () => {
  server.use(
    http.get('/api/overview', () => HttpResponse.json({})),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
  );
  await render({ at: '/audit' }, { user: aSupervisor() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
  expect(screen.getByText(/Ingresó como Supervisor/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Auditoría' })).toBeNull();
});
