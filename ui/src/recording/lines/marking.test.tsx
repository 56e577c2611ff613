import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';
import { aDetail, at, glove, largeGlove, rows, serveWard } from '@/test/ward';

const gloves = { product_id: 2, product: glove };
const larges = { product_id: 3, product: largeGlove };

/**
 * Serve three lines.
 *
 * The latest and the first are the nurse's, the one between is a colleague's.
 */
const serveThree = () =>
  serveWard({
    details: [
      aDetail(3, { ...larges, user_id: 3, created_at: '2026-11-20T12:50:00Z', quantity: 4 }),
      aDetail(2, { ...gloves, user_id: 9, created_at: '2026-11-20T12:40:00Z' }),
      aDetail(1, { user_id: 3 }),
    ],
  });

const row = async (name: string) => (await screen.findByText(name)).closest('tr') as HTMLElement;
const bar = () => within(screen.getByRole('region', { name: 'Líneas marcadas' }));
const count = async (text: string) => expect(await screen.findByText(text)).toBeVisible();
const noBar = () => expect(screen.queryByRole('region', { name: 'Líneas marcadas' })).toBeNull();

/** Collect the requests that void, move and return lines. */
function serveCorrections(ward: ReturnType<typeof serveWard>) {
  const sent: { path: string; body: Record<string, unknown> }[] = [];
  const refuse = { path: '' };
  server.use(
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([aSheet({ id: 9 })]))),
    http.post('/api/*', async ({ request }) => {
      const path = new URL(request.url).pathname;
      if (!/(void|move-details|return)$/.test(path)) return undefined;
      const body = (await request.clone().json()) as Record<string, unknown>;
      sent.push({ path, body });
      if (path === refuse.path) {
        const errors = [{ field: 'quantity', code: 'return.too_much', message: 'Quedan 2.' }];
        return HttpResponse.json({ message: ['Quedan 2.'], errors }, { status: 422 });
      }
      const id = Number(/details\/(\d+)\//.exec(path)?.[1]);
      const line = ward.details.find((one) => one.id === id) ?? aDetail(id);
      if (path.endsWith('return'))
        return HttpResponse.json({ ...line, returned: body.quantity, version: line.version + 1 });
      ward.details = ward.details.filter((one) => one.id !== id);
      return HttpResponse.json({ moved: [], from: {}, to: {} });
    }),
  );
  return { sent, refuse };
}

it('marks by Ctrl+click, Shift+click, then any click; clears all', async () => {
  serveThree();
  await render({ at }, { user: aSupervisor() });
  const user = userEvent.setup();
  await user.click(await row('Guante de nitrilo G'));
  noBar();
  await user.keyboard('{Control>}');
  await user.click(await row('Guante de nitrilo G'));
  await user.keyboard('{/Control}');
  await count('1 línea marcada');
  await user.keyboard('{Shift>}');
  await user.click(await row('Gasa estéril'));
  await user.keyboard('{/Shift}');
  await count('3 líneas marcadas');
  await user.click(await row('Guante de nitrilo M'));
  await count('2 líneas marcadas');
  expect((await row('Guante de nitrilo M')).textContent).not.toContain('Marcada');
  expect((await row('Gasa estéril')).textContent).toContain('Marcada');
  await user.click(bar().getByRole('button', { name: 'Quitar las marcas' }));
  noBar();
});

it('marks by keyboard, voids on Delete, clears on Escape', async () => {
  const ward = serveThree();
  const { sent } = serveCorrections(ward);
  await render({ at }, { user: aSupervisor() });
  const latest = await row('Guante de nitrilo G');
  latest.focus();
  await userEvent.keyboard(' ');
  await count('1 línea marcada');
  await userEvent.keyboard('{Escape}');
  noBar();
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await count('2 líneas marcadas');
  await userEvent.keyboard('{Delete}');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('4 Guante de nitrilo G · GR-3')).toBeVisible();
  expect(dialog.getByText('2 Guante de nitrilo M · GR-2')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Producto equivocado' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Borrar' }));
  await waitFor(() => expect(rows()).toHaveLength(1));
  await count('2 líneas borradas');
  expect(sent.map(({ path }) => path)).toEqual([
    '/api/consumption-details/3/void',
    '/api/consumption-details/2/void',
  ]);
  noBar();
});

it('marks a row on a long press', async () => {
  serveThree();
  await render({ at }, { user: aSupervisor() });
  const latest = await row('Guante de nitrilo G');
  vi.useFakeTimers();
  const touches = [{ clientX: 10, clientY: 10 }];
  fireEvent.touchStart(latest, { touches });
  vi.advanceTimersByTime(600);
  vi.useRealTimers();
  fireEvent.touchEnd(latest, { changedTouches: touches });
  fireEvent.click(latest); // browsers send it after the touch
  await count('1 línea marcada');
  fireEvent.click(await row('Gasa estéril'));
  await count('2 líneas marcadas');
});

it('offers ward staff the allowed actions, and marks their lines', async () => {
  const ward = serveThree();
  serveCorrections(ward);
  await render({ at }, { user: aNurse() });
  (await row('Gasa estéril')).focus();
  await userEvent.keyboard(' ');
  await count('1 línea marcada');
  await userEvent.click(await screen.findByRole('button', { name: /Todas mis líneas desde el 20 nov/ }));
  await count('2 líneas marcadas');
  expect((await row('Guante de nitrilo G')).textContent).toContain('Marcada');
  expect(screen.queryByRole('button', { name: /Todas mis líneas/ })).toBeNull();
  (await row('Guante de nitrilo M')).focus();
  await userEvent.keyboard(' ');
  expect(bar().getByRole('button', { name: 'Mover a otra hoja (2)' })).toBeVisible();
  expect(bar().getByRole('button', { name: 'Borrar (2)' })).toBeVisible();
  expect(bar().getByRole('button', { name: 'Devolver' })).toBeVisible();
  await userEvent.click(bar().getByRole('button', { name: 'Mover a otra hoja (2)' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getAllByRole('checkbox', { checked: true })).toHaveLength(2);
});

it('returns parts of several lines, with errors at their lines', async () => {
  const ward = serveThree();
  const { sent, refuse } = serveCorrections(ward);
  refuse.path = '/api/consumption-details/1/return';
  await render({ at }, { user: aSupervisor() });
  (await row('Guante de nitrilo G')).focus();
  await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await userEvent.click(await screen.findByRole('button', { name: 'Devolver' }));
  const dialog = within(await screen.findByRole('dialog'));
  const amount = (name: string) => dialog.getByRole('textbox', { name: `Cantidad devuelta: ${name}` });
  await userEvent.type(amount('Guante de nitrilo G · GR-3'), '4');
  await userEvent.type(amount('Gasa estéril · GR-1'), '3');
  await userEvent.click(dialog.getByRole('button', { name: 'Sin usar' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Registrar devolución' }));
  expect(await dialog.findByText('Quedan 2.')).toBeVisible();
  expect(amount('Guante de nitrilo G · GR-3')).toBeDisabled();
  refuse.path = '';
  await userEvent.clear(amount('Gasa estéril · GR-1'));
  await userEvent.type(amount('Gasa estéril · GR-1'), '2');
  await userEvent.click(dialog.getByRole('button', { name: 'Registrar devolución' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.map(({ path, body }) => [path, body.quantity])).toEqual([
    ['/api/consumption-details/3/return', 4],
    ['/api/consumption-details/1/return', 3],
    ['/api/consumption-details/1/return', 2],
  ]);
});

it('offers to record marked lines again', async () => {
  serveThree();
  await render({ at }, { user: aSupervisor() });
  (await row('Guante de nitrilo G')).focus();
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await userEvent.click(await screen.findByRole('button', { name: 'Repetir' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Repetir estas líneas' }));
  expect(drawer.getByRole('textbox', { name: /Guante de nitrilo G/ })).toHaveValue('4');
  expect(drawer.getByRole('button', { name: 'Registrar 2 líneas' })).toBeEnabled();
});
