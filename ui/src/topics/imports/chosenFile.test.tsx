import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { accountRead, signedIn } from '@/session/session';
import { button, CONTENT, chooseFile, last, serveImports, supervisor } from '@/test/imports';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

it('restores the import for the same user after a new sign-in', async () => {
  const sent = serveImports({
    check: () => HttpResponse.json({ message: 'Ingrese.' }, { status: 401 }),
  });
  const { store } = await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.selectOptions(
    await screen.findByRole('combobox', { name: 'Codificación de caracteres' }),
    'UTF-8',
  );
  await userEvent.click(await button('Comprobar'));
  expect(await screen.findByText(/^Su sesión terminó\. Ingrese de nuevo/)).toBeVisible();
  expect(screen.queryByText('precios.csv')).not.toBeInTheDocument();

  act(() => {
    store.dispatch(signedIn('token-2'));
    store.dispatch(accountRead(aSupervisor()));
  });
  expect(await screen.findByText('Su sesión terminó. El archivo y lo que eligió siguen aquí.')).toBeVisible();
  expect(screen.getByText('precios.csv')).toBeVisible();
  await userEvent.click(await button('Comprobar'));
  await screen.findByText(/^Su sesión terminó\. Ingrese de nuevo/);
  expect([last(sent)?.query.get('encoding'), last(sent)?.body]).toEqual(['utf-8', CONTENT]);

  const other = { ...aSupervisor(), id: 99 };
  server.use(http.get('/api/auth/profile', () => HttpResponse.json(other)));
  act(() => {
    store.dispatch(signedIn('token-3'));
    store.dispatch(accountRead(other));
  });
  expect(await button('Elegir archivo')).toBeVisible();
  expect(screen.queryByText('precios.csv')).not.toBeInTheDocument();
});

it('explains why a file is rejected, and accepts another', async () => {
  serveImports();
  const sentence = 'No se puede leer como tabla (PDF). Guárdela como XLSX, ODS o CSV.';
  server.use(
    http.post(
      '/api/imports/read',
      () =>
        HttpResponse.json(
          { message: [sentence], errors: [{ field: 'file', code: 'file.kind_unknown', message: sentence }] },
          { status: 422 },
        ),
      { once: true },
    ),
  );
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile('informe.pdf');
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  await chooseFile();
  expect(await screen.findByRole('heading', { name: 'Primeras filas' })).toBeVisible();
  expect(screen.queryByText(sentence)).not.toBeInTheDocument();
});

it('accepts one file dropped anywhere on the page', async () => {
  const sent = serveImports();
  await render({ at: '/imports/create' }, supervisor);
  await button('Elegir archivo');
  const files = [new File([CONTENT], 'a.csv'), new File([CONTENT], 'b.csv')];
  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files } });
  expect(await screen.findByRole('alert')).toHaveTextContent('Elija los archivos de uno en uno.');
  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files: files.slice(0, 1) } });
  expect(await screen.findByText('a.csv')).toBeVisible();
  await waitFor(() => expect(sent).toHaveLength(1));
});

it('rejects a file that is too large before sending it', async () => {
  const sent = serveImports();
  await render({ at: '/imports/create' }, supervisor);
  await button('Elegir archivo');
  const huge = new File(['x'], 'huge.csv');
  Object.defineProperty(huge, 'size', { value: 50_000_001 });
  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files: [huge] } });
  expect(await screen.findByRole('alert')).toHaveTextContent('el límite es 50 MB');
  expect(sent).toEqual([]);
});

it('asks before an unfinished import is left', async () => {
  serveImports();
  const { router } = await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await screen.findByRole('heading', { name: 'Primeras filas' });
  await userEvent.click(screen.getAllByRole('link', { name: 'Importaciones' })[0] as HTMLElement);
  const dialog = await screen.findByRole('dialog', { name: '¿Salir sin terminar la importación?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
  expect(router.state.location.pathname).toBe('/imports/create');
});
