import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { anImport, button, inLines, serveImports, supervisor } from '@/test/imports';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

it('lists imports, and undoes one after confirmation', async () => {
  let undone = false;
  server.use(
    http.get('/api/imports', () =>
      HttpResponse.json(
        aPage([
          anImport(undone ? { undone_at: '2026-11-21T08:00:00Z', undone_by: { id: 2, email: 'x@y.z' } } : {}),
        ]),
      ),
    ),
    http.post('/api/imports/3/undo', () => {
      undone = true;
      return inLines({ done: 0, total: 3 }, { done: 3, total: 3 }, { import: anImport() });
    }),
  );
  await render({ at: '/imports' }, supervisor);
  const row = await screen.findByRole('row', { name: /precios\.csv Productos 20 nov 2026/ });
  await userEvent.click(within(row).getByRole('button', { name: 'Deshacer precios.csv' }));
  const dialog = await screen.findByRole('dialog', { name: '¿Deshacer la importación?' });
  expect(undone).toBe(false);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Deshacer' }));
  expect(await screen.findByText('Importación deshecha')).toBeVisible();
  // The list is fetched again.
  expect(await screen.findByText(/^Deshecha el 21 nov 2026/)).toBeVisible();
});

it('explains why an import cannot be undone', async () => {
  const sentence = 'No se puede deshacer: parte de lo importado ya se usa (2) o cambió después (0).';
  server.use(
    http.get('/api/imports', () => HttpResponse.json(aPage([anImport()]))),
    http.post('/api/imports/3/undo', () =>
      HttpResponse.json(
        { message: [sentence], errors: [{ field: null, code: 'import.depended_on', message: sentence }] },
        { status: 422 },
      ),
    ),
  );
  await render({ at: '/imports' }, supervisor);
  await userEvent.click(await button('Deshacer precios.csv'));
  const dialog = await screen.findByRole('dialog', { name: '¿Deshacer la importación?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Deshacer' }));
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(await button('Deshacer precios.csv')).toBeVisible();
});

it('shows the progress of undoing, and a lost connection', async () => {
  let go = (_line: string) => {};
  let end = () => {};
  const lines = new ReadableStream({
    start(controller) {
      const encoder = new TextEncoder();
      go = (line) => controller.enqueue(encoder.encode(`${line}\n`));
      end = () => controller.close();
    },
  });
  let accepts: string | null = '';
  server.use(
    http.get('/api/imports', () => HttpResponse.json(aPage([anImport()]))),
    http.post('/api/imports/3/undo', ({ request }) => {
      accepts = request.headers.get('Accept');
      return new HttpResponse(lines);
    }),
  );
  await render({ at: '/imports' }, supervisor);
  await userEvent.click(await button('Deshacer precios.csv'));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Deshacer' }));
  expect(await screen.findByText('Deshaciendo precios.csv…')).toBeInTheDocument();
  go('{"done": 500, "total": 43089}');
  expect(await screen.findByText('500 de 43.089 cambios deshechos')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Deshaciendo precios.csv…' })).toHaveAttribute(
    'max',
    '43089',
  );
  expect(accepts).toBe('application/x-ndjson');
  end();
  expect(await screen.findByText(/^Se perdió la conexión al deshacer\. Compruebe en la lista/)).toBeVisible();
  expect(await button('Deshacer precios.csv')).toBeEnabled();
});

it('is not available to ward staff', async () => {
  serveImports();
  await render({ at: '/imports/create' }, { user: aNurse() });
  expect(await screen.findByText('Su rol no permite abrir esta página')).toBeVisible();
  expect(
    within(screen.getByRole('navigation', { name: 'Navegación principal' })).queryByRole('link', {
      name: 'Importaciones',
    }),
  ).not.toBeInTheDocument();
});
