import { cleanup, screen, waitFor, within } from '@testing-library/react';
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
  ...change,
});

/** Serve that log, and collect the requests. */
function serveLog(items: HistoryView[], meta = {}) {
  const asked: string[] = [];
  server.use(
    http.get('/api/audit', ({ request }) => {
      asked.push(new URL(request.url).search);
      const page = aPage(items);
      return HttpResponse.json({ ...page, meta: { ...page.meta, ...meta } });
    }),
    http.get('/api/users', () => HttpResponse.json(aPage([aSupervisor()]))),
    http.get('/api/users/3', () => HttpResponse.json({ message: 'gone' }, { status: 404 })),
    http.get('/api/users/2', () => HttpResponse.json(aSupervisor())),
  );
  return asked;
}

const admin = { user: anAdministrator() };
const told = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);

it.each<[string, HistoryView, string, string]>([
  [
    'detail.added',
    anEntry('detail.added', 'consumption_detail', {
      sheet_id: 7,
      patient: 'José Ibáñez',
      subject: 'Gasa estéril',
      changes: { quantity: [null, '2.500'], sheet_id: [null, 7], user_id: [null, 3] },
    }),
    'Rosa Núñez registró 2,5 × Gasa estéril en la hoja de José Ibáñez.',
    'Rosa Núñez recorded 2.5 × Gasa estéril on the sheet of José Ibáñez.',
  ],
  [
    'patient.read',
    anEntry('patient.read', 'patient', { subject: 'José Ibáñez', person: null }),
    'rosa@hospital.test consultó el expediente de José Ibáñez.',
    'rosa@hospital.test viewed the record of José Ibáñez.',
  ],
  [
    'product.exported',
    anEntry('product.exported', 'product', { entity_id: 0 }),
    'Rosa Núñez exportó la lista de productos.',
    'Rosa Núñez exported the list of products.',
  ],
  [
    // A deleted record has its name at the time of deletion.
    'area.deleted',
    anEntry('area.deleted', 'area', { changes: { name: ['Sótano', null] } }),
    'Rosa Núñez eliminó el área «Sótano».',
    'Rosa Núñez deleted the area “Sótano”.',
  ],
  [
    'sheet.deleted',
    anEntry('sheet.deleted', 'consumption_sheet', {
      sheet_id: 7,
      changes: { patient_id: [3, null] },
      names: { patient_id: ['José Ibáñez', null] },
    }),
    'Rosa Núñez eliminó la hoja de José Ibáñez.',
    'Rosa Núñez deleted the sheet of José Ibáñez.',
  ],
  [
    'user.reset_requested',
    anEntry('user.reset_requested', 'user', { entity_id: 0, user: null, person: null }),
    'Alguien pidió un enlace para elegir una contraseña.',
    'Someone requested a password link.',
  ],
  [
    'import.done',
    anEntry('import.done', 'import', { changes: { file_name: [null, 'precios.csv'], created: [null, 12] } }),
    'Rosa Núñez importó el archivo «precios.csv».',
    'Rosa Núñez imported the file “precios.csv”.',
  ],
  [
    'import.undone',
    anEntry('import.undone', 'import', { changes: { undone_by: [null, 3] } }),
    'Rosa Núñez deshizo la importación «#41».',
    'Rosa Núñez undid the import “#41”.',
  ],
  ['session.signed_in', anEntry('session.signed_in', 'user'), 'Rosa Núñez ingresó.', 'Rosa Núñez signed in.'],
  // Unknown future actions are described as far as possible.
  [
    'pump.primed',
    anEntry('pump.primed', 'pump'),
    'Rosa Núñez hizo «pump.primed».',
    'Rosa Núñez did “pump.primed”.',
  ],
  ['pump.created', anEntry('pump.created', 'pump'), 'Rosa Núñez creó «#41».', 'Rosa Núñez created “#41”.'],
])('describes %s as a sentence', async (_, entry, spanish, english) => {
  serveLog([entry]);
  for (const [language, sentence] of [
    ['es', spanish],
    ['en', english],
  ] as const) {
    await render({ at: '/audit' }, { ...admin, language });
    const [text] = await told();
    expect(text?.replace(/^\d\d:\d\d/, '').trim()).toContain(sentence);
    cleanup();
  }
});

it('shows old and new values with names, without technical data', async () => {
  serveLog([
    anEntry('detail.edited', 'consumption_detail', {
      sheet_id: 7,
      patient: 'José Ibáñez',
      subject: 'Gasa estéril',
      changes: {
        quantity: ['2.000', '1234.500'],
        total: ['0.70', '432.08'],
        staff_id: [9, null],
        version: [1, 2],
        day: ['2026-11-20', '2026-11-21'],
      },
      names: { staff_id: ['Ana Ríos', null] },
    }),
    anEntry('user.updated', 'user', { subject: 'ana@hospital.test', changes: { role: [1, 2] } }),
    anEntry('room.updated', 'room', { subject: '101', changes: { status: [1, 3] } }),
    anEntry('patient.updated', 'patient', {
      subject: 'José Ibáñez',
      changes: { active: [true, false], date_of_birth: [null, '1960-02-03'] },
    }),
    anEntry('sheet.reopened', 'consumption_sheet', {
      sheet_id: 7,
      patient: 'José Ibáñez',
      changes: { closed_at: ['2026-11-20T14:00:00+00:00', null], reason: [null, 'Faltó una cánula'] },
    }),
  ]);
  await render({ at: '/audit' }, admin);
  await screen.findByText('Cantidad: antes 2, ahora 1.234,5');
  const changes = screen
    .getAllByRole('list')
    .flatMap((list) => [...list.querySelectorAll(':scope > li')])
    .map(({ textContent }) => textContent)
    .filter((text) => !/^\d\d:\d\d/.test(text ?? ''));
  expect(changes).toEqual([
    'Cantidad: antes 2, ahora 1.234,5',
    'Total: antes $0,70, ahora $432,08',
    'Personal: antes Ana Ríos, ahora vacío',
    'Rol: antes Usuario, ahora Supervisor',
    'Estado: antes Disponible, ahora En limpieza',
    'Activo: antes sí, ahora no',
    'Fecha de nacimiento: antes vacío, ahora 3 feb 1960',
    'Motivo: Faltó una cánula',
  ]);
  expect(screen.getAllByRole('link', { name: 'Ver hoja' })[0]).toHaveAttribute(
    'href',
    '/consumption-sheets/7',
  );
});

it.each([
  ['es', 'Intentos fallidos desde esa dirección en un cuarto de hora, hasta ahí: 40'],
  ['en', 'Failed attempts from that address within a quarter of an hour, until then: 40'],
] as const)('shows in %s how many sign-ins of one address failed', async (language, text) => {
  serveLog([
    anEntry('session.sign_in_failed', 'user', {
      entity_id: 0,
      user: null,
      person: null,
      changes: { address: [null, '192.0.2.1'], client: [null, 'Firefox'], failures: [null, 40] },
    }),
  ]);
  await render({ at: '/audit' }, { ...admin, language });
  expect(await screen.findByText(text)).toBeVisible();
});

it('folds the data of a created record', async () => {
  serveLog([
    anEntry('patient.created', 'patient', {
      subject: 'José Ibáñez',
      changes: { name: [null, 'José'], first_surname: [null, 'Ibáñez'], record_number: [null, null] },
    }),
  ]);
  await render({ at: '/audit' }, admin);
  const summary = await screen.findByText('Ver datos');
  expect(screen.getByText('Nombre: José')).not.toBeVisible();
  await userEvent.click(summary);
  expect(screen.getByText('Nombre: José')).toBeVisible();
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
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Sobre' }), 'Pacientes');
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Qué pasó' }), 'Consulta');
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
  await screen.findByText(/cambió la cuenta ana@hospital.test/);
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
