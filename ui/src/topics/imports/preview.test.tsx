import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import {
  aReading,
  aReport,
  aRow,
  asked,
  button,
  CONTENT,
  chooseFile,
  inLines,
  last,
  ndjsonOf,
  serveImports,
  supervisor,
} from '@/test/imports';
import { render } from '@/test/render';
import { server } from '@/test/server';

it('previews each row, and imports the good rows on request only', async () => {
  const sent = serveImports();
  const { router } = await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  const heading = await screen.findByRole('heading', { name: 'Esto es lo que pasaría' });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(screen.getByText('También se crean: Categorías: 2')).toBeVisible();

  // Refused rows come first.
  const table = () => within(screen.getByRole('table', { name: /^(Nuevas|Cambian|Rechazadas)$/ }));
  expect(
    table().getByRole('row', { name: /2 · Tul 3 Precio: x Escriba un número en «Precio»\./ }),
  ).toBeVisible();
  await userEvent.click(await button('1 Cambian'));
  expect(table().getByRole('row', { name: /3 · Lino 4 Precio: \$2,50 \$2,75/ })).toBeVisible();
  expect(await button('0 Sin cambios')).toBeDisabled();

  const bringIn = await button('Importar 2 filas');
  expect(bringIn).toBeDisabled();
  await userEvent.click(screen.getByRole('checkbox', { name: /Importar solo las filas correctas/ }));
  await userEvent.click(bringIn);
  expect(await screen.findByRole('heading', { name: 'Se importó precios.csv' })).toBeVisible();
  const { path, query, body } = last(sent) ?? {};
  expect([path, query?.get('good_rows'), query?.get('file_name'), query?.get('noun'), body]).toEqual([
    '/api/imports',
    'true',
    'precios.csv',
    'products',
    CONTENT,
  ]);
  expect(screen.getByRole('link', { name: 'Ver productos' })).toHaveAttribute('href', '/products');
  // The import is finished, so no question is asked.
  await userEvent.click(screen.getByRole('link', { name: 'Todas las importaciones' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/imports'));
});

it('pages through all rows, and searches all cells', async () => {
  const rows = Array.from({ length: 450 }, (_, index) =>
    aRow(index + 2, [`P${index}`, `Gasa ${index}`, index === 321 ? 'Proveedor Ñandú' : ''], {
      label: `P${index} · Gasa ${index}`,
    }),
  );
  serveImports({
    readings: [aReading({ columns: ['Código', 'Nombre', 'Origen'] })],
    check: () => ndjsonOf(aReport({ created: 450, changed: 0, refused: 0, rows })),
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  const shown = () => within(screen.getByRole('table', { name: 'Nuevas' })).getAllByRole('row').length - 1;
  expect(await screen.findByText('1–200 de 450')).toBeVisible();
  expect(shown()).toBe(200);
  await userEvent.click(await button('Página siguiente'));
  await userEvent.click(await button('Página siguiente'));
  expect(screen.getByText('401–450 de 450')).toBeVisible();
  expect(shown()).toBe(50);
  expect(await button('Página siguiente')).toBeDisabled();

  const search = screen.getByRole('searchbox', { name: 'Buscar en las filas' });
  await userEvent.type(search, 'nandu gasa');
  expect(await screen.findByText('Origen: Proveedor Ñandú')).toBeVisible();
  expect(shown()).toBe(1);
  await userEvent.type(search, 'xyz');
  expect(await screen.findByText('Ninguna fila coincide con la búsqueda.')).toBeVisible();
});

it.each([503, 507])('keeps file and choices if a check is answered with %i', async (status) => {
  const sentence = 'El sistema no puede atender ahora.';
  const seen = vi.fn();
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    seen(this);
  });
  let tries = 0;
  const sent = serveImports({
    check: () => {
      tries += 1;
      return tries === 1 ? HttpResponse.json({ message: sentence }, { status }) : ndjsonOf(aReport());
    },
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.selectOptions(
    await screen.findByRole('combobox', { name: 'Codificación de caracteres' }),
    'UTF-8',
  );
  await userEvent.click(await button('Comprobar'));
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  // The check button is far below the message.
  expect(seen).toHaveBeenCalledWith(screen.getByRole('alert'));
  expect(screen.getByText('precios.csv')).toBeVisible();
  await userEvent.click(await button('Reintentar'));
  expect(await screen.findByRole('heading', { name: 'Esto es lo que pasaría' })).toBeVisible();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(last(sent)?.query.get('encoding')).toBe('utf-8');
  // A failed download loses nothing either.
  server.use(
    http.post('/api/imports/refused-rows', () => HttpResponse.json({ message: sentence }, { status })),
  );
  await userEvent.click(await button('Descargar la fila rechazada'));
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getByText('precios.csv')).toBeVisible();
});

it('saves the refused rows as a file, read with the same choices', async () => {
  const sent = serveImports({ readings: [asked, aReading()] });
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:', revokeObjectURL: () => {} }));
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    expect(this.download).toMatch(/^Rechazadas de precios \d{4}-\d\d-\d\d\.csv$/);
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.selectOptions(
    await screen.findByRole('combobox', { name: /¿Cuál es el separador decimal\?/ }),
    'coma',
  );
  await waitFor(async () => expect(await button('Comprobar')).toBeEnabled());
  await userEvent.click(await button('Comprobar'));
  await userEvent.click(await button('Descargar la fila rechazada'));
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  const { path, query, body } = last(sent) ?? {};
  expect([path, query?.get('decimal'), query?.get('noun'), body]).toEqual([
    '/api/imports/refused-rows',
    'comma',
    'products',
    CONTENT,
  ]);
});

it('imports nothing if nothing would change', async () => {
  serveImports({
    check: () =>
      inLines({ report: aReport({ created: 0, changed: 0, unchanged: 3, refused: 0, also: {}, rows: [] }) }),
  });
  const { router } = await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  expect(await screen.findByRole('heading', { name: 'Ya está todo al día' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Importar/ })).not.toBeInTheDocument();
  // There is nothing to lose either.
  await userEvent.click(screen.getAllByRole('link', { name: 'Importaciones' })[0] as HTMLElement);
  await waitFor(() => expect(router.state.location.pathname).toBe('/imports'));
});

it.each<[string, () => Response, RegExp]>([
  [
    'what went wrong in the end',
    () =>
      inLines(
        { done: 1, total: 3 },
        { error: { status: 503, message: 'El sistema está muy ocupado.', errors: [] } },
      ),
    /^El sistema está muy ocupado\.$/,
  ],
  [
    'an answer that breaks off',
    () => inLines({ done: 1, total: 3 }),
    /^Se perdió la conexión durante la importación.*Importar el mismo archivo otra vez no duplica nada\.$/,
  ],
])('shows %s, and keeps the file for a retry', async (_, done, text) => {
  let tries = 0;
  serveImports({
    check: () => inLines({ report: aReport({ refused: 0 }) }),
    done: () => {
      tries += 1;
      return tries === 1 ? done() : inLines({ report: aReport({ refused: 0, kept: true, import_id: 3 }) });
    },
  });
  await render({ at: '/imports/create' }, supervisor);
  await chooseFile();
  await userEvent.click(await button('Comprobar'));
  await userEvent.click(await button('Importar 2 filas'));
  expect(await screen.findByText(text)).toBeVisible();
  await userEvent.click(await button('Importar 2 filas'));
  expect(await screen.findByRole('heading', { name: 'Se importó precios.csv' })).toBeVisible();
});
