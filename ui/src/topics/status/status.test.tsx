import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { anAdministrator, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aStatus } from '@/test/status';

const administrator = { user: anAdministrator() };
const serve = (...changes: Parameters<typeof aStatus>) =>
  server.use(http.get('/api/status', () => HttpResponse.json(aStatus(...changes))));
const open = () => render({ at: '/status' }, administrator);
const row = async (name: string) =>
  within((await screen.findByRole('heading', { level: 3, name })).closest('li') as HTMLElement);

it('says in one line that everything works', async () => {
  serve({ server: { name: '0.1.0', at: '2026-11-19T10:00:00Z' } });
  await open();
  expect(await screen.findByRole('heading', { name: 'Todo funciona' })).toBeVisible();
  expect(screen.getByText('Actualizado a las 10:32')).toBeVisible();
  expect(screen.getAllByText('Bien')).toHaveLength(12);
  const facts = (await row('Servidor')).getByText(/^Versión 0\.1\.0/);
  expect(facts).toHaveTextContent('Versión 0.1.0 · en marcha desde el 19 nov 2026, 10:00 (hace 2 días)');
});

it('says what to do about what needs attention', async () => {
  serve({
    database: {
      name: 'SQLite',
      size: 120 * 2 ** 20,
      free: 1.5 * 2 ** 30,
      level: 'warning',
      advice: 'disk_low',
    },
    backup: { level: 'error', advice: 'backup_none' },
    billing: {
      level: 'error',
      advice: 'billing_dead',
      count: 2,
      failed: 1,
      oldest_at: '2026-11-21T09:02:00Z',
      at: '2026-11-21T08:32:00Z',
      problem: 'AR: Unknown patient',
    },
    audit_sending: {
      level: 'warning',
      advice: 'audit_slow',
      count: 512,
      oldest_at: '2026-11-21T09:02:00Z',
      problem: 'no answer within 30 s',
    },
    devices: { level: 'warning', advice: 'lines_unsent', count: 1, oldest_at: '2026-11-21T10:02:00Z' },
    time_zone: { name: 'UTC', level: 'warning', advice: 'time_zone_utc' },
  });
  await open();
  expect(await screen.findByRole('heading', { name: '6 puntos necesitan atención' })).toBeVisible();
  const database = await row('Base de datos');
  expect(database.getByText('SQLite · 120 MB · 1,5 GB libres en el disco')).toBeVisible();
  expect(database.getByText('Atención')).toBeVisible();
  expect((await row('Última copia de seguridad')).getByText(/^No hay ninguna: programe/)).toBeVisible();
  const billing = await row('Envíos a facturación');
  expect(billing.getByText('2 en espera, el más antiguo del 21 nov 2026, 09:02 (hace 1 hora)')).toBeVisible();
  expect(billing.getByText('1 sin entregar')).toBeVisible();
  expect(billing.getByText('Último error: AR: Unknown patient')).toBeVisible();
  expect(billing.getByRole('link', { name: 'Ver mensajes' })).toHaveAttribute('href', '/messages/outbound');
  const audit = await row('Envío de la bitácora');
  expect(audit.getByText(/^512 en espera, el más antiguo/)).toBeVisible();
  expect(audit.getByText('Último error: no answer within 30 s')).toBeVisible();
  const devices = await row('Equipos con líneas sin enviar');
  expect(devices.getByRole('link', { name: 'Ver por atender' })).toHaveAttribute('href', '/worklist');
  expect((await row('Zona horaria')).getByText(/^Sigue en UTC/)).toBeVisible();
});

it('sends a test email and says where to', async () => {
  serve();
  server.use(http.post('/api/status/test-email', () => HttpResponse.json({ email: 'admin@consumo.test' })));
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Enviar prueba' }));
  expect(await screen.findByText('Correo de prueba enviado a admin@consumo.test')).toBeVisible();
});

it('says in one sentence why a test email failed', async () => {
  serve();
  const message = 'El servidor de correo no responde.';
  server.use(
    http.post('/api/status/test-email', () =>
      HttpResponse.json(
        { message: [message], errors: [{ field: null, code: 'mail.unreachable', message }] },
        { status: 422 },
      ),
    ),
  );
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Enviar prueba' }));
  expect(await screen.findByText(message)).toBeVisible();
});

it('offers no test without a mail server', async () => {
  serve({ email: { advice: 'email_off' } });
  await open();
  expect((await row('Correo')).getByText(/^Este servidor no envía correo/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Enviar prueba' })).not.toBeInTheDocument();
});

it('is not for supervisors', async () => {
  await render({ at: '/status' }, { user: aSupervisor() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
});
