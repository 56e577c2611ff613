import { cleanup, render as renderBare, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { loadMessages } from '@/i18n/messages';
import { aNurse } from '@/test/people';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';
import { LoginGate } from './LoginGate';
import { Providers } from './Providers';
import { makeStore } from './store';

/** Render the whole client, as a browser opens it at this address. */
async function open(address: string) {
  await loadMessages('es');
  window.history.replaceState(null, '', address);
  renderBare(
    <Providers store={makeStore()}>
      <LoginGate />
    </Providers>,
  );
}

const email = () => screen.findByLabelText('Correo electrónico');

async function signIn() {
  await userEvent.type(await email(), 'user@consumo.test');
  await userEvent.type(screen.getByLabelText('Contraseña'), 'consumo-demo-2026');
  await userEvent.click(screen.getByRole('button', { name: 'Ingresar' }));
}

it('redirects to the login, and back after signing in', async () => {
  server.use(
    http.post('/api/auth/login', () => HttpResponse.json({ access_token: 'abc' }, { status: 201 })),
    http.get('/api/auth/profile', () => HttpResponse.json(aNurse())),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
  );
  await open('/consumption-sheets/closed?q=arriaga');
  expect(await email()).toBeVisible();
  expect(window.location.pathname).toBe('/auth/login');
  await signIn();
  expect(await screen.findByText('¡Bienvenido!')).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Hojas cerradas' })).toBeVisible();
  expect(window.location.pathname + window.location.search).toBe('/consumption-sheets/closed?q=arriaga');
});

it('keeps the return path when the login is reloaded', async () => {
  server.use(
    http.post('/api/auth/login', () => HttpResponse.json({ access_token: 'abc' }, { status: 201 })),
    http.get('/api/auth/profile', () => HttpResponse.json(aNurse())),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
  );
  await open('/consumption-sheets/closed');
  await email();
  cleanup();
  await open(window.location.pathname);
  await signIn();
  await waitFor(() => expect(window.location.pathname).toBe('/consumption-sheets/closed'));
  await waitFor(() => expect(sessionStorage).toHaveLength(0));
});

it('keeps the email between the login and the password reset', async () => {
  await open('/auth/login');
  await userEvent.type(await email(), 'ana@hospital.test');
  await userEvent.click(screen.getByRole('link', { name: '¿Olvidó su contraseña?' }));
  expect(await screen.findByRole('heading', { name: 'Restablecer contraseña' })).toBeVisible();
  expect(window.location.pathname).toBe('/auth/reset-password');
  expect(await email()).toHaveValue('ana@hospital.test');
  await userEvent.click(screen.getByRole('link', { name: 'Volver a ingresar' }));
  expect(await screen.findByRole('heading', { name: 'Iniciar sesión' })).toBeVisible();
  expect(await email()).toHaveValue('ana@hospital.test');
});

it('opens a password link without signing in', async () => {
  await open('/auth/reset-password?token=s3cret');
  expect(await screen.findByLabelText(/^Contraseña nueva/)).toBeVisible();
});

it('reports an unreachable server, and switches the language', async () => {
  server.use(http.post('/api/auth/login', () => HttpResponse.error()));
  await open('/');
  await signIn();
  expect(await screen.findByText(/^No hay conexión/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'English' }));
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(localStorage.getItem('language')).toBe('en');
});

it('says from the first moment that this is a demonstration, as of the last visit', async () => {
  server.use(http.get('/api/settings', () => HttpResponse.json({ demonstration: true })));
  await open('/');
  expect(await screen.findByText('Demostración. No ingrese datos reales.')).toBeVisible();
  expect(JSON.parse(localStorage.getItem('hospital') ?? '')).toMatchObject({ isDemonstration: true });
});

it('shows the error page for an unexpected failure', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {}); // React reports what the error page catches
  localStorage.setItem('token', 'abc');
  server.use(
    http.get('/api/auth/profile', () => HttpResponse.json(aNurse())),
    http.get('/api/consumption-sheets', () =>
      HttpResponse.json({ message: 'Se rompió algo.' }, { status: 500 }),
    ),
  );
  await open('/consumption-sheets');
  expect(await screen.findByText('¡Oops!')).toBeVisible();
  expect(screen.getByText('Se rompió algo.')).toBeVisible();
  expect(screen.getAllByRole('link', { name: 'Ir al inicio' }).at(-1)).toHaveAttribute('href', '/');
});

it('opens a page directly when signed in', async () => {
  localStorage.setItem('token', 'abc');
  server.use(
    http.get('/api/auth/profile', () => HttpResponse.json(aNurse())),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
  );
  await open('/consumption-sheets');
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Hojas de consumo' })).toBeVisible());
  expect(window.location.pathname).toBe('/consumption-sheets');
});
