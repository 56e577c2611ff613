import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { PatientView } from '@/api/generated';
import { aPatient } from '@/test/patients';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

const maria = aPatient();
const namesake = aPatient({ id: 12, date_of_birth: '1961-07-30', record_number: 'HC-977' });
const rooms = [
  { id: 5, name: '201-A', area_id: 2, area: { id: 2, name: 'Cirugía' }, status: 1, type: 1 },
  { id: 6, name: '201-A', area_id: 3, area: { id: 3, name: 'Pediatría' }, status: 1, type: 1 },
];

let asked: string[];
beforeEach(() => {
  asked = [];
  server.use(
    http.get('/api/patients', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(aPage([maria, namesake]));
    }),
    http.get('/api/rooms', () => HttpResponse.json(aPage(rooms))),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
    http.get('/api/consumption-sheets/77', () => HttpResponse.json(aSheet({ id: 77 }))),
    http.get('/api/consumption-sheets/77/consumption-details', () => HttpResponse.json(aPage([]))),
    http.get('/api/areas', () => HttpResponse.json(aPage([]))),
    http.get('/api/patients/11', () => HttpResponse.json(maria)),
  );
});

async function fillIn() {
  await userEvent.type(await screen.findByRole('combobox', { name: /Paciente/ }), 'quispe');
  const options = await screen.findAllByRole('option', { name: /María Quispe Mamani/ });
  expect(options[1]).toHaveTextContent('HC-977 · nac. 30 jul 1961');
  await userEvent.keyboard('{Enter}');
  expect(screen.getByRole('combobox', { name: /Paciente/ })).toHaveAccessibleDescription(
    'HC-104 · nac. 1 feb 1985',
  );
  await userEvent.click(screen.getByRole('combobox', { name: /Habitación/ }));
  await userEvent.click(await screen.findByRole('option', { name: /201-A Pediatría/ }));
}

it('starts with the room in the URL', async () => {
  server.use(http.get('/api/rooms/5', () => HttpResponse.json({ ...rooms[0], sheets: [] })));
  await render({ at: '/consumption-sheets/create?room=5' }, { user: aNurse() });
  expect(await screen.findByRole('combobox', { name: /Habitación/ })).toHaveValue('201-A');
  expect(screen.getByRole('combobox', { name: /Paciente/ })).toHaveFocus();
});

it('opens one sheet for the chosen namesake, and goes to it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
  const sent: { body: unknown; key: string | null }[] = [];
  server.use(
    http.post('/api/consumption-sheets', async ({ request }) => {
      sent.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      return sent.length === 1
        ? HttpResponse.error()
        : HttpResponse.json(aSheet({ id: 77 }), { status: 201 });
    }),
  );
  const { router } = await render({ at: '/consumption-sheets/create' }, { user: aNurse() });
  await fillIn();
  expect(asked.at(-1)).toBe('?limit=25&q=quispe&active=true');
  await userEvent.type(screen.getByLabelText('Diagnóstico'), 'Apendicitis');
  await userEvent.click(screen.getByRole('button', { name: 'Crear hoja' }));
  expect(await screen.findByText(/No hay conexión/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Crear hoja' }));

  expect(await screen.findByText('Hoja de consumo creada')).toBeVisible();
  await waitFor(() =>
    expect(router.state.location.pathname).toBe('/consumption-sheet-details/77/consumption-details'),
  );
  expect(sent[1]?.body).toEqual({
    patient_id: 11,
    room_id: 6,
    admission_date: '2026-11-21',
    doctor: '',
    diagnosis: 'Apendicitis',
  });
  expect(sent[0]?.key).toBeTruthy();
  expect(sent[1]?.key).toBe(sent[0]?.key);
});

it("starts with today in the hospital's time zone", async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T02:30:00Z') });
  server.use(
    http.get('/api/settings', () => HttpResponse.json({ currency: 'USD', time_zone: 'America/Guayaquil' })),
  );
  await render({ at: '/consumption-sheets/create' }, { user: aNurse() });
  expect(await screen.findByLabelText(/^Fecha de ingreso/)).toHaveValue('20/11/2026');
  vi.useRealTimers();
});

it('warns of an open sheet of the patient without blocking', async () => {
  server.use(
    http.get('/api/consumption-sheets', ({ request }) =>
      HttpResponse.json(
        aPage(new URL(request.url).searchParams.get('patient_id') === '11' ? [aSheet({ id: 3 })] : []),
      ),
    ),
  );
  await render({ at: '/consumption-sheets/create' }, { user: aNurse() });
  await fillIn();
  const warning = await screen.findByText(/ya tiene una hoja abierta desde el 20 nov 2026 \(201-A\)/);
  expect(
    within(warning.parentElement as HTMLElement).getByRole('link', { name: 'Ir a esa hoja' }),
  ).toHaveAttribute('href', '/consumption-sheet-details/3/consumption-details');
  expect(screen.getByRole('button', { name: 'Crear hoja' })).toBeEnabled();
});

it('shows missing fields and refusals, and keeps all values', async () => {
  const message = 'Elija otro paciente: este está inactivo.';
  server.use(
    http.post('/api/consumption-sheets', () =>
      HttpResponse.json(
        { message: [message], errors: [{ field: 'patient_id', code: 'patient.inactive', message }] },
        { status: 422 },
      ),
    ),
  );
  await render({ at: '/consumption-sheets/create' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Crear hoja' }));
  expect(screen.getAllByText('Este dato es obligatorio.')).toHaveLength(2);
  await waitFor(() => expect(screen.getByRole('combobox', { name: /Paciente/ })).toHaveFocus());

  await fillIn();
  await userEvent.type(screen.getByLabelText('Médico'), 'Dra. Paz');
  await userEvent.click(screen.getByRole('button', { name: 'Crear hoja' }));
  expect(await screen.findAllByText(message)).toHaveLength(2);
  expect(screen.getByRole('combobox', { name: /Paciente/ })).toHaveValue('María Quispe Mamani');
  expect(screen.getByLabelText('Médico')).toHaveValue('Dra. Paz');
});

it('starts at the room with the patient in the URL', async () => {
  const { router } = await render({ at: '/consumption-sheets/create?patient=11' }, { user: aNurse() });
  const select = await screen.findByRole('combobox', { name: /Paciente/ });
  expect(select).toHaveValue('María Quispe Mamani');
  expect(select).toHaveAccessibleDescription('HC-104 · nac. 1 feb 1985');
  expect(screen.getByRole('combobox', { name: /Habitación/ })).toHaveFocus();
  await userEvent.click(screen.getByRole('link', { name: 'Cancelar' }));
  // Nothing was typed, so no question is asked.
  await waitFor(() => expect(router.state.location.pathname).toBe('/patients/11'));
});

it('rejects an inactive patient, and links to activating it', async () => {
  let patient: PatientView = { ...maria, active: 0 };
  // The cached patient is available before the refetched one.
  let answer = () => {};
  const later = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('/api/patients/11', async () => {
      if (patient.active) await later;
      return HttpResponse.json(patient);
    }),
    http.put('/api/patients/11', () => {
      patient = maria;
      return HttpResponse.json(patient);
    }),
  );
  await render({ at: '/consumption-sheets/create?patient=11' }, { user: aNurse() });
  expect(await screen.findByText(/María Quispe Mamani está inactivo/)).toBeVisible();
  expect(screen.getByRole('combobox', { name: /Paciente/ })).toHaveValue('');
  await userEvent.click(screen.getByRole('link', { name: 'Editar paciente' }));
  await userEvent.click(await screen.findByRole('switch', { name: /^Activo/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  await waitFor(() => expect(screen.queryByRole('switch')).not.toBeInTheDocument());
  answer();
  expect(await screen.findByRole('combobox', { name: /Paciente/ })).toHaveValue('María Quispe Mamani');
  expect(screen.queryByText(/está inactivo/)).not.toBeInTheDocument();
});

const rosa = aPatient({
  id: 40,
  name: 'Rosa',
  first_surname: 'Núñez',
  second_surname: null,
  record_number: null,
});

it("registers a missing patient without losing the form's values", async () => {
  const sent: unknown[] = [];
  server.use(
    http.get('/api/patients', () => HttpResponse.json(aPage([]))),
    http.get('/api/patients/40', () => HttpResponse.json(rosa)),
    http.post('/api/patients', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(rosa, { status: 201 });
    }),
  );
  await render({ at: '/consumption-sheets/create' }, { user: aNurse() });
  await userEvent.type(await screen.findByLabelText('Médico'), 'Dra. Paz');
  await userEvent.type(screen.getByRole('combobox', { name: /Paciente/ }), 'rosa');
  await screen.findByRole('option', { name: 'Crear paciente' });
  await userEvent.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Crear paciente' }));
  // The text of the search is already in the form.
  expect(dialog.getByRole('textbox', { name: 'Nombre' })).toHaveValue('rosa');
  await userEvent.clear(dialog.getByRole('textbox', { name: 'Nombre' }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Nombre' }), 'Rosa');
  // A cancelled dialog keeps its values.
  await userEvent.click(dialog.getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole('combobox', { name: /Paciente/ })).toHaveFocus());
  await userEvent.click(screen.getByRole('button', { name: 'Crear paciente' }));
  const again = within(await screen.findByRole('dialog'));
  expect(again.getByRole('textbox', { name: 'Nombre' })).toHaveValue('Rosa');
  await userEvent.type(again.getByRole('textbox', { name: 'Primer apellido' }), 'Núñez{Enter}');

  expect(await screen.findByText('Paciente creado')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(sent).toEqual([
    { name: 'Rosa', first_surname: 'Núñez', second_surname: '', record_number: '', active: 1 },
  ]);
  await waitFor(() => expect(screen.getByRole('combobox', { name: /Paciente/ })).toHaveValue('Rosa Núñez'));
  expect(screen.getByRole('combobox', { name: /Habitación/ })).toHaveFocus();
  expect(screen.getByLabelText('Médico')).toHaveValue('Dra. Paz');
});

it('offers an existing patient instead of a duplicate', async () => {
  server.use(
    http.get('/api/patients', () =>
      HttpResponse.json(aPage([rosa, { ...rosa, id: 41, record_number: 'HC-8', active: 0 }])),
    ),
    http.get('/api/patients/40', () => HttpResponse.json(rosa)),
  );
  await render({ at: '/consumption-sheets/create' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Crear paciente' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Nombre' }), 'Rosa');
  await userEvent.type(dialog.getByRole('textbox', { name: 'Primer apellido' }), 'Nuñez');
  expect(await dialog.findByText('HC-8 · nac. 1 feb 1985 · Inactivo')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Elegir este paciente' }));
  await waitFor(() => expect(screen.getByRole('combobox', { name: /Paciente/ })).toHaveValue('Rosa Núñez'));
});

it('reactivates an existing patient', async () => {
  const sent: unknown[] = [];
  const inactive = { ...rosa, record_number: 'HC-8', active: 0 as const };
  server.use(
    http.get('/api/patients', () => HttpResponse.json(aPage(sent.length ? [] : [inactive]))),
    http.get('/api/patients/40', () => HttpResponse.json({ ...inactive, active: 1 })),
    http.put('/api/patients/40', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ ...inactive, active: 1 });
    }),
  );
  await render({ at: '/consumption-sheets/create' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Crear paciente' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Expediente' }), 'hc-8');
  await userEvent.click(await dialog.findByRole('button', { name: 'Reactivar y elegir' }));
  await waitFor(() => expect(screen.getByRole('combobox', { name: /Paciente/ })).toHaveValue('Rosa Núñez'));
  expect(sent).toEqual([expect.objectContaining({ name: 'Rosa', record_number: 'HC-8', active: 1 })]);
});

it('asks before an unsaved new patient is lost', async () => {
  const { router } = await render({ at: '/consumption-sheets/create' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Crear paciente' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Nombre' }), 'Rosa');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  await userEvent.click(screen.getByRole('link', { name: 'Cancelar' }));
  await screen.findByRole('dialog', { name: '¿Salir sin guardar los cambios?' });
  expect(router.state.location.pathname).toBe('/consumption-sheets/create');
});
