import { notifications } from '@mantine/notifications';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { SECRET } from '@/test/canaries';
import { aNewcomer } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

const PAGE = '/auth/first-administrator';
const GOOD = 'cuatro vendas y un termómetro';

async function fill(email: string, password = GOOD) {
  await userEvent.type(await screen.findByLabelText(/^Correo electrónico/), email);
  await userEvent.type(screen.getByLabelText(/^Contraseña nueva/), password);
  await userEvent.type(screen.getByLabelText(/^Confirmar contraseña nueva/), password);
  await userEvent.click(screen.getByRole('button', { name: 'Crear la cuenta e ingresar' }));
}

it('creates the first administrator by the link, whose secret leaves the URL', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post('/api/auth/first-administrator', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ access_token: 'the new token' }, { status: 201 });
    }),
    http.get('/api/auth/profile', () => HttpResponse.json(aNewcomer())),
    http.get('/api/staff/profile', () => HttpResponse.json({ data: null })),
  );
  const { router } = await render({ at: `${PAGE}?token=${SECRET}` });
  expect(await screen.findByRole('heading', { name: 'Primera cuenta' })).toBeVisible();
  expect(router.state.location.search).toBe('');
  await fill('ada@hospital.test');
  await waitFor(() => expect(router.state.location.pathname).not.toBe(PAGE));
  expect(sent).toEqual([
    { token: SECRET, email: 'ada@hospital.test', password: GOOD, password_confirmation: GOOD },
  ]);
});

it('says where the link is when it is missing', async () => {
  await render({ at: PAGE });
  expect(await screen.findByText(/^Este servidor aún no tiene cuentas/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Volver a ingresar' })).toBeVisible();
});

it('shows a refused link with the notice, and keeps refused fields', async () => {
  let refused = 'email';
  server.use(
    http.post('/api/auth/first-administrator', () =>
      HttpResponse.json(
        { message: ['No sirve.'], errors: [{ field: refused, code: 'x', message: 'No sirve.' }] },
        { status: 422 },
      ),
    ),
  );
  await render({ at: `${PAGE}?token=${SECRET}` });
  await fill('ada@hospital.test');
  const email = screen.getByLabelText(/^Correo electrónico/);
  await waitFor(() => expect(email).toHaveAccessibleDescription('No sirve.'));
  expect(email).toHaveValue('ada@hospital.test');
  act(() => notifications.clean());
  refused = 'token';
  await userEvent.click(screen.getByRole('button', { name: 'Crear la cuenta e ingresar' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('No sirve.');
  expect(screen.getByText(/^Este servidor aún no tiene cuentas/)).toBeVisible();
});
