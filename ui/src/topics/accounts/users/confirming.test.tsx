import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

const PASSWORD = 'cuatro vendas y un termómetro';

/** Serve an account whose session was not confirmed lately; returns the calls. */
function serveUnconfirmed({ hospital = false } = {}) {
  const calls: string[] = [];
  let isConfirmed = false;
  const change = async ({ request }: { request: Request }) => {
    calls.push(`${request.method} ${new URL(request.url).pathname}`);
    if (isConfirmed) return new HttpResponse(null, { status: 204 });
    const message = 'Confirme que es usted.';
    const code = 'session.unconfirmed';
    return HttpResponse.json({ message, errors: [{ field: null, code, message }] }, { status: 422 });
  };
  server.use(
    http.get('/api/users/3/sessions', () => HttpResponse.json({ items: [] })),
    http.get('/api/users/3/badges', () => HttpResponse.json({ items: [] })),
    http.get('/api/users/3/passkeys', () => HttpResponse.json({ items: [] })),
    http.put('/api/auth/pin', change),
    http.post('/api/users/3/badges', change),
    http.post('/api/auth/unlock', async ({ request }) => {
      calls.push('POST /api/auth/unlock');
      const { password } = (await request.json()) as { password: string };
      isConfirmed = password === PASSWORD;
      if (isConfirmed) return new HttpResponse(null, { status: 204 });
      const message = 'Contraseña incorrecta.';
      return HttpResponse.json(
        { message, errors: [{ field: 'password', code: 'password.wrong', message }] },
        { status: 422 },
      );
    }),
  );
  const unlock_by = hospital ? (['pin'] as const) : (['password'] as const);
  return { calls, user: aNurse({ unlock_by: [...unlock_by], has_password: !hospital }) };
}

async function setPin() {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText(/PIN nuevo/), '483920');
  await user.type(screen.getByLabelText(/Repita el PIN/), '483920');
  await user.click(screen.getByRole('button', { name: /^(Poner|Cambiar) PIN/ }));
  return { user, dialog: await screen.findByRole('dialog', { name: 'Confirme que es usted' }) };
}

it('asks for the password, and makes the call again', async () => {
  const { calls, user: nurse } = serveUnconfirmed();
  await render({ at: '/users/account' }, { user: nurse });
  const { user, dialog } = await setPin();
  await user.type(within(dialog).getByLabelText('Contraseña'), 'otra cosa{Enter}');
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Contraseña incorrecta.');
  expect(screen.getByRole('dialog')).toBeVisible();
  await user.type(within(dialog).getByLabelText('Contraseña'), `${PASSWORD}{Enter}`);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls).toEqual([
    'PUT /api/auth/pin',
    'POST /api/auth/unlock',
    'POST /api/auth/unlock',
    'PUT /api/auth/pin',
  ]);
  await waitFor(() => expect(screen.getByLabelText(/PIN nuevo/)).toHaveValue(''));
});

it('keeps the form of who does not confirm, and reports nothing', async () => {
  const { calls, user: nurse } = serveUnconfirmed();
  await render({ at: '/users/account' }, { user: nurse });
  const { user, dialog } = await setPin();
  await user.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByLabelText(/PIN nuevo/)).toHaveValue('483920');
  expect(screen.queryByText('Confirme que es usted.')).toBeNull();
  expect(calls).toEqual(['PUT /api/auth/pin']);
});

it('asks who has no password for the hospital’s account', async () => {
  const { user: nurse } = serveUnconfirmed({ hospital: true });
  server.use(
    http.get('/api/settings', () =>
      HttpResponse.json({ oidc: { name: 'San José', logout: false, only: false }, passkey_host: null }),
    ),
  );
  await render({ at: '/users/account' }, { user: nurse });
  const { dialog } = await setPin();
  expect(within(dialog).queryByLabelText('Contraseña')).toBeNull();
  expect(within(dialog).getByRole('button', { name: 'Volver a ingresar con San José' })).toBeVisible();
});

it('empties the form of a badge that was added', async () => {
  const { user: nurse } = serveUnconfirmed();
  server.use(
    http.post('/api/users/3/badges', () =>
      HttpResponse.json(
        { id: 1, name: 'Gafete', made_at: '2026-11-21T07:02:00Z', used_at: null },
        { status: 201 },
      ),
    ),
  );
  await render({ at: '/users/account' }, { user: nurse });
  const user = userEvent.setup();
  const code = await screen.findByRole('textbox', { name: 'Credencial' });
  await user.type(code, 'B-123456');
  await user.click(screen.getByRole('button', { name: 'Agregar credencial' }));
  await waitFor(() => expect(code).toHaveValue(''));
});
