import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MergePreviewView, PatientView } from '@/api/generated';
import { aPatient } from '@/test/patients';
import { aNurse, anAdministrator, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

const nurse = { user: aNurse() };
const supervisor = { user: aSupervisor() };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Serve these patients, and collect the requests.
 *
 * The first patient has sheets.
 */
function serve(...patients: PatientView[]) {
  const asked: string[] = [];
  const sent: { method: string; body: unknown }[] = [];
  const [one = aPatient()] = patients;
  const note = async (request: Request) =>
    sent.push({ method: request.method, body: JSON.parse((await request.text()) || 'null') });
  server.use(
    http.get('/api/patients', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(aPage(patients));
    }),
    http.get('/api/patients/:id', () => HttpResponse.json(one)),
    http.post('/api/patients', async ({ request }) => {
      await note(request);
      return HttpResponse.json(one, { status: 201 });
    }),
    http.put('/api/patients/:id', async ({ request }) => {
      await note(request);
      return HttpResponse.json(one);
    }),
    http.delete('/api/patients/:id', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('/api/consumption-sheets', ({ request }) => {
      const closed = new URL(request.url).searchParams.get('closed') === 'true';
      return HttpResponse.json(
        aPage([
          closed
            ? aSheet({
                id: 8,
                closed: true,
                deleted_at: '2026-10-03T10:00:00Z',
                admission_date: '2026-10-01',
              })
            : aSheet({ id: 3 }),
        ]),
      );
    }),
  );
  return { asked, sent };
}

it('lists patients with age and state', async () => {
  serve(
    aPatient({ open_sheets: 2 }),
    aPatient({ id: 12, name: 'Tomás', first_surname: 'Arriaga', second_surname: null, active: 0 }),
    aPatient({ id: 13, name: 'Recién nacido', date_of_birth: '2026-11-11', record_number: null }),
  );
  await render({ at: '/patients' }, nurse);
  const maria = await screen.findByRole('row', { name: /María Quispe Mamani/ });
  expect(maria).toHaveTextContent('41 años · HC-104');
  expect(maria).toHaveTextContent('1 feb 1985');
  expect(maria).toHaveTextContent('2 hojas abiertas');
  expect(screen.getByRole('row', { name: /Tomás Arriaga/ })).toHaveTextContent('Inactivo');
  const newborn = screen.getByRole('row', { name: /Recién nacido/ });
  expect(newborn).toHaveTextContent('10 días');
  expect(newborn).not.toHaveTextContent('Inactivo');
  expect(screen.getByRole('link', { name: 'Pacientes' })).toHaveAttribute('href', '/patients');
});

it('keeps search, order and state in the URL', async () => {
  const { asked } = serve(aPatient());
  const { router } = await render({ at: '/patients?q=quispe&sort=-date_of_birth' }, nurse);
  await screen.findByRole('row', { name: /Quispe/ });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Estado' }), 'Inactivos');
  await waitFor(() => expect(asked.at(-1)).toBe('?page=1&sort=-date_of_birth&q=quispe&active=false'));
  expect(router.state.location.search).toContain('state=inactive');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Estado' }), 'Activos');
  await waitFor(() => expect(asked.at(-1)).toContain('active=true'));
});

it("registers a patient, and goes to the patient's page", async () => {
  const { sent } = serve(aPatient());
  const { router } = await render({ at: '/patients/create' }, nurse);
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }));
  expect(screen.getAllByText('Este dato es obligatorio.')).toHaveLength(2);
  const name = screen.getByRole('textbox', { name: 'Nombre' });
  await waitFor(() => expect(name).toHaveFocus());
  await userEvent.type(name, 'Rosa');
  await userEvent.type(screen.getByRole('textbox', { name: 'Primer apellido' }), 'Núñez');
  const born = screen.getByLabelText('Fecha de nacimiento');
  await userEvent.type(born, '22/11/2026');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(born).toHaveAccessibleDescription('No puede ser una fecha futura.');
  expect(sent).toEqual([]);
  await userEvent.clear(born);
  await userEvent.type(born, '21/11/2026');
  await userEvent.type(screen.getByLabelText('Expediente'), 'HC-9{Enter}');
  expect(await screen.findByText('Paciente creado')).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe('/patients/11'));
  expect(sent).toEqual([
    {
      method: 'POST',
      body: {
        name: 'Rosa',
        first_surname: 'Núñez',
        second_surname: '',
        date_of_birth: '2026-11-21',
        record_number: 'HC-9',
        active: 1,
      },
    },
  ]);
});

it.each([
  ['María', 'Quispe-Mamani'],
  ['MARIA', 'Quispe, Mamani'],
  ['Mar’ía', 'quispe mamani'],
])('recognises a patient in another spelling: %s %s', async (name, surname) => {
  serve(aPatient());
  await render({ at: '/patients/create' }, nurse);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Nombre' }), name);
  await userEvent.type(screen.getByRole('textbox', { name: 'Primer apellido' }), surname);
  expect(await screen.findByText('Es posible que este paciente ya esté registrado')).toBeVisible();
});

it('warns of possible duplicates without blocking', async () => {
  const { asked, sent } = serve(
    aPatient(),
    aPatient({ id: 12, second_surname: null, record_number: null, date_of_birth: null, active: 0 }),
    aPatient({ id: 13, first_surname: 'Quispe Ramos' }),
    aPatient({ id: 14, name: 'Otra', record_number: 'HC-7' }),
  );
  await render({ at: '/patients/create' }, nurse);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Nombre' }), 'maria');
  await userEvent.type(screen.getByRole('textbox', { name: 'Primer apellido' }), 'QUISPE');
  const warning = await screen.findByText('Es posible que este paciente ya esté registrado');
  const notice = within(warning.closest('[role="status"]') as HTMLElement);
  expect(asked.at(-1)).toBe('?limit=25&q=maria+QUISPE');
  expect(notice.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/patients/11',
    '/patients/12',
  ]);
  expect(notice.getByText('HC-104 · nac. 1 feb 1985')).toBeVisible();
  expect(notice.getByText('Inactivo')).toBeVisible();

  // Another second surname is another person, but not if the record number is the same.
  await userEvent.type(screen.getByLabelText('Segundo apellido'), 'Rojas');
  await waitFor(() => expect(notice.queryByText('HC-104 · nac. 1 feb 1985')).not.toBeInTheDocument());
  await userEvent.type(screen.getByLabelText('Expediente'), 'hc-7');
  expect(await notice.findByText('Otra Quispe Mamani')).toBeVisible();
  expect(asked).toContain('?limit=25&q=hc-7');

  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Paciente creado')).toBeVisible();
  expect(sent).toHaveLength(1);
});

it('edits a patient, and shows a refusal at its field', async () => {
  const { sent } = serve(aPatient());
  const { router } = await render({ at: '/patients/11/edit' }, nurse);
  await userEvent.click(await screen.findByRole('switch', { name: /^Activo/ }));
  // Deleting is offered only with permission.
  expect(screen.queryByRole('button', { name: 'Eliminar paciente' })).not.toBeInTheDocument();
  const message = 'Ya existe: HC-104.';
  server.use(
    http.put(
      '/api/patients/11',
      () =>
        HttpResponse.json(
          { message: [message], errors: [{ field: 'record_number', code: 'taken', message }] },
          { status: 422 },
        ),
      { once: true },
    ),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  await waitFor(() => expect(screen.getByLabelText('Expediente')).toHaveAccessibleDescription(message));
  expect(screen.getByRole('switch', { name: /^Activo/ })).not.toBeChecked();
  await userEvent.clear(screen.getByLabelText('Fecha de nacimiento'));
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Paciente actualizado')).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe('/patients/11'));
  expect(sent[0]?.body).toEqual({
    name: 'María',
    first_surname: 'Quispe',
    second_surname: 'Mamani',
    record_number: 'HC-104',
    active: 0,
  });
});

it('deletes a patient after confirmation', async () => {
  const { sent } = serve(aPatient());
  const { router } = await render({ at: '/patients/11/edit' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar paciente' }));
  const dialog = await screen.findByRole('dialog', { name: 'Eliminar Paciente?' });
  expect(dialog).toHaveTextContent('María Quispe Mamani');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Eliminar paciente' }));
  expect(await screen.findByText('Paciente eliminado')).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe('/patients'));
  expect(sent).toEqual([{ method: 'DELETE', body: null }]);
});

it('requires no given name for a newborn without one', async () => {
  const { sent } = serve(aPatient({ name: '', first_surname: 'RN de Paz', second_surname: null }));
  await render({ at: '/patients/11/edit' }, nurse);
  expect(await screen.findByRole('textbox', { name: 'Nombre' })).not.toBeRequired();
  await userEvent.type(screen.getByRole('textbox', { name: 'Segundo apellido' }), 'Ríos');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Paciente actualizado')).toBeVisible();
  const corrected = { name: '', first_surname: 'RN de Paz', second_surname: 'Ríos' };
  expect(sent).toEqual([{ method: 'PUT', body: expect.objectContaining(corrected) }]);
});

it('offers to deactivate a patient who cannot be deleted', async () => {
  const { sent } = serve(aPatient());
  const message = 'No se puede eliminar: aún hay datos que dependen de esto (3).';
  server.use(
    http.delete('/api/patients/11', () =>
      HttpResponse.json(
        { message: [message], errors: [{ field: null, code: 'in_use', message }] },
        { status: 422 },
      ),
    ),
  );
  await render({ at: '/patients/11/edit' }, supervisor);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Nombre' }), ' que no se guarda');
  await userEvent.click(screen.getByRole('button', { name: 'Eliminar paciente' }));
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Eliminar paciente' }),
  );
  const dialog = await screen.findByRole('dialog', { name: '¿Desactivar este paciente?' });
  expect(dialog).toHaveTextContent(message);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Desactivar' }));
  expect(await screen.findByText('Paciente actualizado')).toBeVisible();
  expect(sent).toEqual([{ method: 'PUT', body: expect.objectContaining({ name: 'María', active: 0 }) }]);
});

it('links to open and closed sheets, and to a new one', async () => {
  serve(aPatient());
  await render({ at: '/patients/11' }, supervisor);
  expect(await screen.findByRole('heading', { name: 'María Quispe Mamani' })).toBeVisible();
  expect(screen.getByText('41 años')).toBeVisible();
  const open = within(screen.getByRole('region', { name: 'Hojas abiertas' }));
  expect(open.getByRole('link', { name: /201-A, desde el 20 nov 2026/ })).toHaveAttribute(
    'href',
    '/consumption-sheet-details/3/consumption-details',
  );
  const closed = within(screen.getByRole('region', { name: 'Hojas cerradas' }));
  const link = closed.getByRole('link', { name: /201-A, desde el 1 oct 2026/ });
  expect(link).toHaveAttribute('href', '/consumption-sheets/closed/8');
  expect(link).toHaveTextContent('Cerrada el 3 oct 2026 · $1.234,50');
  expect(screen.getByRole('link', { name: 'Nueva hoja' })).toHaveAttribute(
    'href',
    '/consumption-sheets/create?patient=11',
  );
});

it('opens no sheet for an inactive patient, and says why', async () => {
  serve(aPatient({ active: 0 }));
  await render({ at: '/patients/11' }, nurse);
  expect(await screen.findByText('Inactivo: edite el paciente para abrirle una hoja.')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Nueva hoja' })).not.toBeInTheDocument();
});

it('shows supervisors who saw the patient', async () => {
  serve(aPatient());
  server.use(
    http.get('/api/patients/:id/readers', ({ request }) => {
      const person = new URL(request.url).searchParams.get('user_id');
      return HttpResponse.json(
        aPage(
          [
            {
              id: 9,
              user: { id: 3, email: 'rosa@hospital.test' },
              person: 'Rosa Núñez',
              action: 'consumption_sheet.read',
              did: 'consultó la hoja de María Quispe Mamani',
            },
            {
              id: 8,
              user: { id: 4, email: 'luz@hospital.test' },
              person: 'Luz Gil',
              action: 'consumption_sheet.exported',
              did: 'exportó la hoja de María Quispe Mamani',
            },
            {
              id: 7,
              user: { id: 4, email: 'luz@hospital.test' },
              person: 'Luz Gil',
              action: 'sheet.printed',
              did: 'descargó el informe de la hoja de María Quispe Mamani',
            },
          ]
            .filter(({ user }) => person === null || String(user.id) === person)
            .map((entry) => ({
              ...entry,
              at: '2026-11-20T14:05:00Z',
              entity: 'consumption_sheet',
              entity_id: 3,
              sheet_id: null,
              patient_id: 11,
              changes: {},
              patient: 'María Quispe Mamani',
              subject: null,
              names: {},
              who: entry.person,
              in_words: [],
            })),
        ),
      );
    }),
  );
  await render({ at: '/patients/11' }, supervisor);
  await userEvent.click(await screen.findByRole('link', { name: '¿Quién vio a este paciente?' }));
  expect(await screen.findByRole('link', { name: 'Rosa Núñez' })).toBeVisible();
  const told = screen.getAllByRole('listitem');
  expect(told.map((entry) => entry.textContent)).toEqual([
    expect.stringContaining('Rosa Núñez consultó la hoja de María Quispe Mamani'),
    expect.stringContaining('Luz Gil exportó la hoja de María Quispe Mamani'),
    expect.stringContaining('Luz Gil descargó el informe de la hoja de María Quispe Mamani'),
  ]);
  expect(screen.getAllByRole('link', { name: 'Ver hoja' })[0]).toHaveAttribute(
    'href',
    '/consumption-sheets/3',
  );
  await userEvent.click(screen.getByRole('link', { name: 'Rosa Núñez' }));
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  await userEvent.click(screen.getByRole('link', { name: 'Volver al paciente' }));
  expect(await screen.findByText('HC-104')).toBeVisible();
});

it('hides from ward staff who saw a patient', async () => {
  serve(aPatient());
  await render({ at: '/patients/11' }, nurse);
  expect(await screen.findByText('HC-104')).toBeVisible();
  expect(screen.queryByRole('link', { name: '¿Quién vio a este paciente?' })).not.toBeInTheDocument();
});

const double = aPatient({
  id: 12,
  first_surname: 'Quispé',
  record_number: 'HC-900',
  open_sheets: 1,
  second_surname: null,
});

/**
 * Serve two records of one person.
 *
 * `change` may mark the second as merged already.
 */
function serveDouble(change: Partial<PatientView> = {}, preview: Partial<MergePreviewView> = {}) {
  const sent: { path: string; body: unknown }[] = [];
  const served = serve(aPatient({ open_sheets: 2 }), double);
  server.use(
    http.get('/api/patients/:id', ({ params }) =>
      HttpResponse.json(params.id === '12' ? { ...double, ...change } : aPatient({ open_sheets: 2 })),
    ),
    http.get('/api/patients/:id/merge-preview', ({ request, params }) => {
      served.asked.push(`${params.id} ${new URL(request.url).search}`);
      return HttpResponse.json({
        sheets: { open: 1, closed: 2 },
        fills: ['second_surname'],
        differs: [{ field: 'first_surname', mine: 'Quispe', theirs: 'Quispé' }],
        another_person: false,
        asks_number_of: null,
        ...preview,
      });
    }),
    http.post('/api/patients/:id/:what', async ({ request, params }) => {
      sent.push({
        path: `${params.id} ${params.what}`,
        body: JSON.parse((await request.text()) || 'null'),
      });
      return HttpResponse.json(
        params.what === 'merge' ? aPatient() : { patient: double, returned: [7], stayed: [9] },
      );
    }),
  );
  return { ...served, sent };
}

it('merges two records in either direction', async () => {
  const { asked, sent } = serveDouble();
  const { router } = await render({ at: '/patients/11' }, supervisor);
  await userEvent.click(await screen.findByRole('link', { name: 'Es la misma persona que…' }));
  const field = await screen.findByRole('combobox', { name: /Es la misma persona que/ });
  await userEvent.type(field, 'quisp');
  const options = await screen.findAllByRole('option');
  // A record cannot be merged into itself.
  expect(options).toHaveLength(1);
  await userEvent.click(options[0] as HTMLElement);
  expect(await screen.findByRole('region', { name: 'Se unirá' })).toHaveTextContent('María Quispe Mamani');
  const stays = screen.getByRole('region', { name: 'Se conservará' });
  expect(stays).toHaveTextContent('HC-900');
  expect(stays).toHaveTextContent('1 abierta, 1 cerrada');
  expect(await screen.findByText(/Pasa 1 hoja abierta y 2 cerradas a María Quispé/)).toBeVisible();
  expect(screen.getByText(/Ambos tienen una hoja abierta/)).toBeVisible();
  expect(screen.getByText(/segundo apellido/)).toBeVisible();
  expect(screen.getByRole('row', { name: 'Primer apellido Quispe Quispé' })).toBeVisible();
  expect(asked.at(-1)).toBe('11 ?into=12');

  await userEvent.click(screen.getByRole('button', { name: 'Conservar el otro' }));
  await waitFor(() => expect(asked.at(-1)).toBe('12 ?into=11'));
  await waitFor(() => expect(screen.getByRole('region', { name: 'Se unirá' })).toHaveTextContent('HC-900'));

  await userEvent.click(screen.getByRole('button', { name: 'Unir expedientes' }));
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Se registró dos veces' }));
  await userEvent.click(screen.getByRole('button', { name: 'Unir expedientes' }));
  await waitFor(() =>
    expect(sent).toEqual([{ path: '12 merge', body: { into_id: 11, reason: 'Se registró dos veces' } }]),
  );
  await waitFor(() => expect(router.state.location.pathname).toBe('/patients/11'));
});

it('reads two different persons value by value, and types the end of the number', async () => {
  const differs = [
    { field: 'first_surname', mine: 'Quispe', theirs: 'Vera' },
    { field: 'date_of_birth', mine: '1979-01-01', theirs: '2010-01-01' },
  ];
  const { sent } = serveDouble({}, { differs, another_person: true, asks_number_of: 11 });
  await render({ at: '/patients/11/merge' }, supervisor);
  await userEvent.type(await screen.findByRole('combobox', { name: /Es la misma persona que/ }), 'quis');
  await userEvent.click(await screen.findByRole('option'));
  await userEvent.click(await screen.findByRole('button', { name: 'Se registró dos veces' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Primer apellido: leído' }));
  await userEvent.type(screen.getByRole('textbox', { name: /Últimos 4 caracteres/ }), '0013');
  await userEvent.click(screen.getByRole('button', { name: 'Unir expedientes' }));
  expect(await screen.findByText('Lea y marque cada dato distinto.')).toBeVisible();
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Fecha de nacimiento: leído' }));
  await userEvent.click(screen.getByRole('button', { name: 'Unir expedientes' }));
  const body = { into_id: 12, reason: 'Se registró dos veces', number_end: '0013' };
  await waitFor(() => expect(sent).toEqual([{ path: '11 merge', body }]));
});

it('redirects from a merged record to the remaining one', async () => {
  serveDouble({ merged_into: 11, active: 0 });
  const { router } = await render({ at: '/patients/12' }, nurse);
  expect(await screen.findByText(/El expediente que buscaba se unió al de este paciente/)).toBeVisible();
  expect(router.state.location.pathname).toBe('/patients/11');
  expect(screen.queryByRole('link', { name: 'Es la misma persona que…' })).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'Ver ese expediente' }));
  const notice = await screen.findByText(/Este expediente se unió a/);
  expect(notice.parentElement).toHaveTextContent('María Quispe Mamani');
  expect(screen.queryByRole('button', { name: 'Deshacer la unión' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Editar' })).toBeNull();
});

it('lets administrators undo a merge, and lists moved sheets', async () => {
  const { sent } = serveDouble({ merged_into: 11, active: 0 });
  await render({ at: '/patients/12?merged=1' }, { user: anAdministrator() });
  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer la unión' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Deshacer la unión' }));
  await waitFor(() => expect(sent).toEqual([{ path: '12 unmerge', body: null }]));
  expect(await screen.findByText(/Estas hojas no volvieron/)).toHaveTextContent('9');
});
