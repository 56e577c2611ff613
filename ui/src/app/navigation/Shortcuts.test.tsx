import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

beforeEach(() => {
  server.use(http.get('/api/areas', () => HttpResponse.json(aPage([{ id: 4, name: 'Cirugía' }]))));
});

it('lists the shortcuts when ? is pressed', async () => {
  await render({ at: '/areas' }, { user: aSupervisor() });
  await screen.findByRole('row', { name: /Cirugía/ });
  await userEvent.keyboard('?');
  const dialog = await screen.findByRole('dialog', { name: 'Atajos de teclado' });
  expect(within(dialog).getByText('Buscar en esta página')).toBeInTheDocument();
  expect(within(dialog).getByText('Retiros')).toBeInTheDocument();
  // There is no tenth digit.
  expect(within(dialog).queryByText('10')).toBeNull();
});

it('focuses the search field, where keys are text', async () => {
  const { router } = await render({ at: '/areas' }, { user: aSupervisor() });
  await screen.findByRole('row', { name: /Cirugía/ });
  await userEvent.keyboard('/');
  expect(screen.getByRole('searchbox')).toHaveFocus();
  expect(screen.getByRole('searchbox')).toHaveValue('');
  await userEvent.keyboard('n?1');
  expect(screen.getByRole('searchbox')).toHaveValue('n?1');
  expect(router.state.location.pathname).toBe('/areas');
});

it.each([
  ['n', '/areas/create'],
  ['2', '/consumption-sheets'],
])('opens with the single key %s the page %s', async (key, path) => {
  const { router } = await render({ at: '/areas' }, { user: aSupervisor() });
  await screen.findByRole('row', { name: /Cirugía/ });
  document.getElementById('content')?.focus();
  await userEvent.keyboard(key);
  await waitFor(() => expect(router.state.location.pathname).toBe(path));
});

it.each(['n', '2'])('ignores the single key %s while nothing has the focus', async (key) => {
  const { router } = await render({ at: '/areas' }, { user: aSupervisor() });
  await screen.findByRole('row', { name: /Cirugía/ });
  expect(document.body).toHaveFocus();
  await userEvent.keyboard(key);
  await delay(400);
  expect(router.state.location.pathname).toBe('/areas');
});

it.each(['?', 'n', '2'])('ignores the single key %s in a menu', async (key) => {
  const { router } = await render({ at: '/areas' }, { user: aSupervisor() });
  await screen.findByRole('row', { name: /Cirugía/ });
  await userEvent.click(screen.getByRole('button', { name: 'Más acciones' }));
  const [first] = await screen.findAllByRole('menuitem');
  await waitFor(() => expect(first).toHaveFocus());
  await userEvent.keyboard(key);
  await delay(400);
  expect(router.state.location.pathname).toBe('/areas');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('ignores the keys of a scanner', async () => {
  const { router } = await render({ at: '/areas' }, { user: aSupervisor() });
  await screen.findByRole('row', { name: /Cirugía/ });
  await userEvent.keyboard('n2{Enter}');
  await userEvent.tab();
  await userEvent.keyboard('?');
  await screen.findByRole('dialog', { name: 'Atajos de teclado' });
  expect(router.state.location.pathname).toBe('/areas');
});

it('ignores single keys when they are turned off', async () => {
  const { router } = await render({ at: '/areas' }, { user: aSupervisor() });
  await screen.findByRole('row', { name: /Cirugía/ });
  await userEvent.keyboard('?');
  await userEvent.click(await screen.findByRole('switch', { name: /Atajos de una sola tecla/ }));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.keyboard('n?');
  expect(router.state.location.pathname).toBe('/areas');
  expect(screen.queryByRole('dialog')).toBeNull();
});
