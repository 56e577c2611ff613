import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { HospitalSettingsView } from '@/api/generated';
import { anAdministrator, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

const settings: HospitalSettingsView = {
  version: 3,
  name: 'Hospital San José',
  address: ['Av. Amazonas 123', 'Quito'],
  tax_number: 'RUC 1790',
  letterhead: [],
  time_zone: 'UTC',
  currency: 'USD',
  number_format: 'language',
  idle_minutes: 15,
  ask_above_total: 500,
  shift_starts: ['06:00', '14:00', '22:00'],
  billed_waste: ['opened', 'dropped', 'defective', 'expired'],
  logo_version: null,
  fixed: [],
};
interface Sent {
  path: string;
  method: string;
  ifMatch: string | null;
  body: unknown;
}

/** Serve these settings, and collect what is sent. */
function serveHospital(changes: Partial<HospitalSettingsView> = {}) {
  const sent: Sent[] = [];
  let now = { ...settings, ...changes };
  const note = async (request: Request, body: unknown) => {
    const { method, headers, url } = request;
    sent.push({ path: new URL(url).pathname, method, ifMatch: headers.get('If-Match'), body });
  };
  server.use(
    http.get('/api/hospital/settings', () => HttpResponse.json(now)),
    http.put('/api/hospital/settings', async ({ request }) => {
      const body = (await request.json()) as Partial<HospitalSettingsView>;
      await note(request, body);
      now = { ...now, ...body, version: now.version + 1 };
      return HttpResponse.json(now);
    }),
    http.post('/api/hospital/preview', async ({ request }) => {
      await note(request, await request.json());
      return HttpResponse.arrayBuffer(new ArrayBuffer(8), { headers: { 'Content-Type': 'application/pdf' } });
    }),
    http.put('/api/hospital/logo', async ({ request }) => {
      await note(request, null);
      now = { ...now, logo_version: now.version + 1, version: now.version + 1 };
      return HttpResponse.json(now);
    }),
    http.delete('/api/hospital/logo', async ({ request }) => {
      await note(request, null);
      now = { ...now, logo_version: null, version: now.version + 1 };
      return HttpResponse.json(now);
    }),
  );
  return sent;
}

const openPage = () => render({ at: '/hospital' }, { user: anAdministrator() });
const changesIn = (sent: Sent[]) => sent.filter(({ method }) => method !== 'POST');

beforeEach(() => {
  let made = 0;
  URL.createObjectURL = vi.fn(() => `blob:paper-${++made}`);
  URL.revokeObjectURL = vi.fn();
});

it('saves the settings with the version that was seen', async () => {
  const sent = serveHospital();
  await openPage();
  const name = await screen.findByLabelText('Nombre');
  expect(name).toHaveValue('Hospital San José');
  expect(screen.getByLabelText('Dirección')).toHaveValue('Av. Amazonas 123\nQuito');
  await userEvent.clear(name);
  await userEvent.type(name, 'Hospital Nuevo');
  const shifts = screen.getByLabelText(/Inicio de los turnos/);
  await userEvent.clear(shifts);
  await userEvent.type(shifts, '7:30 19:30');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('Ajustes guardados')).toBeVisible();
  expect(changesIn(sent)).toEqual([
    {
      path: '/api/hospital/settings',
      method: 'PUT',
      ifMatch: '"3"',
      body: expect.objectContaining({
        name: 'Hospital Nuevo',
        address: ['Av. Amazonas 123', 'Quito'],
        shift_starts: ['07:30', '19:30'],
        idle_minutes: 15,
      }),
    },
  ]);
});

it('warns of UTC and proposes the zone of the browser', async () => {
  serveHospital();
  await openPage();
  expect(await screen.findByText(/Ahora se usa la hora UTC/)).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText('Zona horaria'), 'America/Guayaquil');
  expect(screen.queryByText(/Ahora se usa la hora UTC/)).toBeNull();
});

it('says which settings are set on the server', async () => {
  serveHospital({ fixed: ['time_zone', 'currency'] });
  await openPage();
  expect(await screen.findByLabelText('Zona horaria')).toBeDisabled();
  expect(screen.getByLabelText('Moneda')).toBeDisabled();
  expect(screen.getAllByText('Fijado en el servidor')).toHaveLength(2);
  expect(screen.queryByText(/Ahora se usa la hora UTC/)).toBeNull();
  expect(screen.getByLabelText('Nombre')).toBeEnabled();
});

it('keeps what was typed if someone else saved meanwhile', async () => {
  serveHospital();
  let refused = true;
  server.use(
    http.put('/api/hospital/settings', ({ request }) => {
      if (!refused)
        return HttpResponse.json({ ...settings, version: Number(request.headers.get('If-Match')) });
      refused = false;
      return HttpResponse.json({ status: 412, errors: [] }, { status: 412 });
    }),
  );
  await openPage();
  await userEvent.type(await screen.findByLabelText('Nombre'), ' y María');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  const notice = await screen.findByRole('alert');
  expect(within(notice).getByText('Otra persona cambió los ajustes.')).toBeVisible();
  expect(screen.getByLabelText('Nombre')).toHaveValue('Hospital San José y María');
});

it('previews the letterhead before it is saved', async () => {
  const sent = serveHospital();
  await openPage();
  await userEvent.type(await screen.findByLabelText('Nombre'), ' 2');
  const preview = screen.getByRole('region', { name: 'Vista previa del papel' });
  expect(within(preview).getByText('Hospital San José 2')).toBeVisible();
  await waitFor(() =>
    expect(sent).toContainEqual(
      expect.objectContaining({
        path: '/api/hospital/preview',
        body: expect.objectContaining({ name: 'Hospital San José 2' }),
      }),
    ),
  );
  await waitFor(() =>
    expect(within(preview).getByRole('link')).toHaveAttribute('href', expect.stringMatching(/^blob:paper-/)),
  );
});

it('saves the logo at once, and the form with the version after it', async () => {
  const sent = serveHospital();
  await openPage();
  await screen.findByLabelText('Nombre');
  const file = new File([new Uint8Array(40)], 'logo.png', { type: 'image/png' });
  await userEvent.upload(screen.getByTestId('logo'), file);
  expect(await screen.findByRole('img', { name: 'Logotipo de Hospital San José' })).toHaveAttribute(
    'src',
    '/api/hospital/logo?version=4',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  await screen.findByText('Ajustes guardados');
  await userEvent.click(screen.getByRole('button', { name: 'Quitar' }));
  await waitFor(() => expect(screen.queryByRole('img', { name: /Logotipo/ })).toBeNull());
  expect(changesIn(sent).map(({ method, ifMatch }) => [method, ifMatch])).toEqual([
    ['PUT', '"3"'],
    ['PUT', '"4"'],
    ['DELETE', '"5"'],
  ]);
});

it('keeps the form if the server fails to process the logo', async () => {
  serveHospital();
  server.use(http.put('/api/hospital/logo', () => HttpResponse.json({}, { status: 500 })));
  await openPage();
  await userEvent.type(await screen.findByLabelText('Nombre'), ' nuevo');
  await userEvent.upload(screen.getByTestId('logo'), new File(['x'], 'logo.png', { type: 'image/png' }));
  expect(await screen.findByText(/No se pudo guardar la imagen/)).toBeVisible();
  expect(screen.getByLabelText('Nombre')).toHaveValue('Hospital San José nuevo');
});

it('refuses a large image without sending it', async () => {
  const sent = serveHospital();
  await openPage();
  await screen.findByLabelText('Nombre');
  const file = new File([new Uint8Array(300_000)], 'logo.png', { type: 'image/png' });
  await userEvent.upload(screen.getByTestId('logo'), file);
  expect(await screen.findByText(/La imagen pesa 300 kB/)).toBeVisible();
  expect(changesIn(sent)).toEqual([]);
});

it('is not for supervisors', async () => {
  serveHospital();
  await render({ at: '/hospital' }, { user: aSupervisor() });
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
  expect(screen.queryByLabelText('Nombre')).toBeNull();
});

it.each([
  [null, 'https y un nombre, no con una dirección IP'],
  ['consumo.hospital.test', 'valen en consumo.hospital.test'],
])('says whether the address %s allows passkeys', async (passkey_host, said) => {
  serveHospital();
  server.use(
    http.get('/api/settings', () => HttpResponse.json({ currency: 'USD', time_zone: 'UTC', passkey_host })),
  );
  await render({ at: '/hospital' }, { user: anAdministrator() });
  expect(await screen.findByText(new RegExp(said))).toBeVisible();
});
