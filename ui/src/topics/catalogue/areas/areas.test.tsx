import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

const surgery = { id: 4, name: 'Cirugía' };

/** Serve one area and its list, and collect the requests. */
function serveAreas() {
  const sent: { method: string; path: string; body?: unknown }[] = [];
  const note = async ({ request }: { request: Request }) => {
    const text = await request.clone().text();
    sent.push({
      method: request.method,
      path: new URL(request.url).pathname + new URL(request.url).search,
      ...(text && { body: JSON.parse(text) }),
    });
  };
  server.use(
    http.get('/api/areas', async (call) => {
      await note(call);
      if (call.request.url.includes('format='))
        return new HttpResponse('id,name\r\n4,Cirugía\r\n', { headers: { 'Content-Type': 'text/csv' } });
      return HttpResponse.json(aPage([surgery]));
    }),
    http.get('/api/areas/4', () => HttpResponse.json(surgery)),
    http.get('/api/rooms', () => HttpResponse.json(aPage([]))),
    http.get('/api/consumption-sheets', async (call) => {
      await note(call);
      const closed = call.request.url.includes('closed=true');
      return HttpResponse.json(aPage([aSheet({ id: closed ? 6 : 5, closed })], { total: closed ? 12 : 1 }));
    }),
    http.post('/api/areas', async (call) => {
      await note(call);
      return HttpResponse.json(surgery, { status: 201 });
    }),
    http.put('/api/areas/4', async (call) => {
      await note(call);
      return HttpResponse.json(surgery);
    }),
    http.delete('/api/areas/4', async (call) => {
      await note(call);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

const supervisor = { user: aSupervisor() };

it('creates an area and returns to the list', async () => {
  const sent = serveAreas();
  const { router } = await render({ at: '/areas/create' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }));
  const name = screen.getByRole('textbox', { name: 'Nombre del área' });
  expect(name).toHaveAccessibleDescription('Este dato es obligatorio.');
  await waitFor(() => expect(name).toHaveFocus());
  await userEvent.type(name, 'Cirugía{Enter}');
  expect(await screen.findByText('Área creada')).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe('/areas'));
  expect(sent).toContainEqual({ method: 'POST', path: '/api/areas', body: { name: 'Cirugía', code: '' } });
});

it('shows a refusal at its field and keeps typed values', async () => {
  serveAreas();
  const message = 'Ya hay un área con este nombre.';
  server.use(
    http.put('/api/areas/4', () =>
      HttpResponse.json(
        { message: [message], errors: [{ field: 'name', code: 'duplicate', message }] },
        { status: 422 },
      ),
    ),
  );
  await render({ at: '/areas/4/edit' }, supervisor);
  const name = await screen.findByRole('textbox', { name: 'Nombre del área' });
  expect(name).toHaveValue('Cirugía');
  await userEvent.type(name, ' 2{Enter}');
  await waitFor(() => expect(name).toHaveAccessibleDescription(message));
  expect(name).toHaveValue('Cirugía 2');
});

it('deletes an area after confirmation', async () => {
  const sent = serveAreas();
  const { router } = await render({ at: '/areas/4/edit' }, supervisor);
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar área' }));
  const dialog = await screen.findByRole('dialog', { name: 'Eliminar Área?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Eliminar área' }));
  const again = await screen.findByRole('dialog');
  await userEvent.click(within(again).getByRole('button', { name: 'Eliminar área' }));
  expect(await screen.findByText('¡Área eliminada!')).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe('/areas'));
  expect(sent[0]).toEqual({ method: 'DELETE', path: '/api/areas/4' });
});

it('asks only before unsaved changes are lost', async () => {
  serveAreas();
  const { router } = await render({ at: '/areas/4/edit' }, supervisor);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Nombre del área' }), ' 2');
  await userEvent.click(screen.getByRole('link', { name: 'Cancelar' }));
  await screen.findByRole('dialog', { name: '¿Salir sin guardar los cambios?' });
  await userEvent.click(screen.getByRole('button', { name: 'Cancelar' }));
  expect(router.state.location.pathname).toBe('/areas/4/edit');
  expect(screen.getByRole('textbox', { name: 'Nombre del área' })).toHaveValue('Cirugía 2');
  await userEvent.click(screen.getByRole('link', { name: 'Cancelar' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Salir sin guardar' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/areas/4'));
});

it('exports the list with the present search', async () => {
  const sent = serveAreas();
  URL.createObjectURL = () => 'blob:areas';
  URL.revokeObjectURL = () => {};
  let saved = '';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved = this.download;
  });
  await render({ at: '/areas?q=ciru' }, supervisor);
  await screen.findByRole('row', { name: /Cirugía/ });
  await userEvent.click(screen.getByRole('button', { name: 'Más acciones' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Exportar a texto (CSV)' }));
  await waitFor(() => expect(saved).toMatch(/^Áreas \d{4}-\d\d-\d\d\.csv$/));
  expect(sent.at(-1)?.path).toBe('/api/areas?q=ciru&format=csv');
});

it('exports by keyboard, and restores the focus', async () => {
  const sent = serveAreas();
  URL.createObjectURL = () => 'blob:areas';
  URL.revokeObjectURL = () => {};
  let saved = '';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved = this.download;
  });
  await render({ at: '/areas' }, supervisor);
  await screen.findByRole('row', { name: /Cirugía/ });
  // The loaded menu replaces the button.
  const button = () => screen.getByRole('button', { name: 'Más acciones' });
  button().focus();
  await userEvent.keyboard('{Enter}');
  const workbook = await screen.findByRole('menuitem', { name: 'Exportar a Excel (XLSX)' });
  await waitFor(() => expect(workbook).toHaveFocus());
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(button()).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await waitFor(() =>
    expect(screen.getByRole('menuitem', { name: 'Exportar a Excel (XLSX)' })).toHaveFocus(),
  );
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(saved).toMatch(/^Áreas \d{4}-\d\d-\d\d\.xlsx$/));
  expect(sent.at(-1)?.path).toBe('/api/areas?format=xlsx');
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Exportar a texto (CSV)' })).toBeNull());
});

it('explains the missing permission, and links to the area', async () => {
  serveAreas();
  const edit = await render({ at: '/areas/4/edit' }, { user: aNurse() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
  await userEvent.click(screen.getByRole('link', { name: 'Volver' }));
  expect(await screen.findByRole('heading', { name: 'Cirugía' })).toBeVisible();
  expect(edit.router.state.location.pathname).toBe('/areas/4');
  cleanup();
  const create = await render({ at: '/areas/create' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('link', { name: 'Volver' }));
  expect(await screen.findByRole('row', { name: /Cirugía/ })).toBeVisible();
  expect(create.router.state.location.pathname).toBe('/areas');
});

it('shows open and closed sheets of an area, with a link to all', async () => {
  const sent = serveAreas();
  const { router } = await render({ at: '/areas/4' }, supervisor);
  const open = within(await screen.findByRole('region', { name: 'Hojas abiertas' }));
  expect(open.getByRole('link', { name: /Quispe/ })).toHaveAttribute(
    'href',
    '/consumption-sheet-details/5/consumption-details',
  );
  const closed = within(await screen.findByRole('region', { name: 'Hojas cerradas' }));
  await userEvent.click(closed.getByRole('link', { name: 'Ver todo (12)' }));
  await waitFor(() => expect(router.state.location.search).toBe('?area=4'));
  expect(await screen.findByText('Cirugía')).toBeVisible();
  expect(sent.at(-1)?.path).toBe('/api/consumption-sheets?closed=true&area_id=4&page=1');
  await userEvent.click(screen.getByRole('button', { name: 'Quitar el filtro: Cirugía' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
});

it("has the area's name as heading, and in the form's path", async () => {
  serveAreas();
  const { router } = await render({ at: '/areas/4' }, supervisor);
  expect(await screen.findByRole('heading', { level: 1, name: 'Cirugía' })).toBeVisible();
  // Titles of tabs and histories may be seen by others.
  expect(document.title).toBe('Área · Consumo');
  await router.navigate('/areas/4/edit');
  expect(await screen.findByRole('heading', { level: 1, name: 'Editar área' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Cirugía' })).toHaveAttribute('href', '/areas/4');
  expect(screen.getByRole('link', { name: 'Volver a Cirugía' })).toHaveAttribute('href', '/areas/4');
  await router.navigate('/areas');
  expect(await screen.findByRole('heading', { level: 1, name: 'Áreas' })).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Volver a/ })).toBeNull();
});
