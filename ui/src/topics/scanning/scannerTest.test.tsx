import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { ReadingView } from '@/api/generated';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';

const reading: ReadingView = {
  gtin: '09506000134352',
  lot: 'PRUEBA7',
  expiry: '2030-12-31',
  serial: '000042',
  count: null,
  separator_lost: false,
  expiry_unreadable: false,
  incomplete: false,
  bare: false,
};

/** Answer every lookup with this reading, and collect the requests. */
function serveLookup(change: Partial<ReadingView> | null = {}) {
  const asked: string[] = [];
  server.use(
    http.get('/api/products/lookup', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(`${searchParams.get('scan')} ${searchParams.get('only_tried')}`);
      return HttpResponse.json({
        reading: change && { ...reading, ...change },
        matches: [],
        recall: null,
        expired: false,
        serial_used: null,
        noted: null,
        read_as: null,
      });
    }),
  );
  return asked;
}

/** Type like a scanner; a separator is Ctrl+]. */
function scan(field: HTMLElement, text: string) {
  for (const character of text)
    fireEvent.keyDown(
      field,
      character === '|' ? { key: ']', code: 'BracketRight', ctrlKey: true } : { key: character },
    );
  fireEvent.keyDown(field, { key: 'Enter' });
}

const nurse = { user: aNurse() };
const GOOD = ']d201095060001343521730123110PRUEBA7|21000042';

it("shows the received characters, and the server's reading", async () => {
  const asked = serveLookup();
  await render({ at: '/users/account/reader' }, nurse);
  const field = await screen.findByRole('textbox', { name: 'Escanee aquí' });
  for (const name of ['GS1 DataMatrix', 'GS1-128', 'EAN-13'])
    expect(screen.getByRole('img', { name: `Código de prueba ${name}` })).toBeVisible();
  scan(field, GOOD);
  expect(await screen.findByText('Su lector lee GS1 DataMatrix correctamente.')).toBeVisible();
  expect(asked).toEqual([`${GOOD.replace('|', '\x1d')} true`]);
  const arrived = screen.getByRole('region', { name: 'Caracteres recibidos' });
  for (const text of [']d2', 'Llegó', 'Enter']) expect(arrived).toHaveTextContent(text);
  expect(screen.getByText('GS')).toBeVisible();
  const read = screen.getByRole('region', { name: 'Lo que leyó el servidor' });
  for (const text of ['09506000134352', 'PRUEBA7', '31 dic 2030', '000042'])
    expect(read).toHaveTextContent(text);
});

it('explains how to configure a scanner that loses separators', async () => {
  serveLookup({ separator_lost: true });
  await render({ at: '/users/account/reader' }, nurse);
  scan(await screen.findByRole('textbox', { name: 'Escanee aquí' }), GOOD.replace('|', ''));
  expect(await screen.findByText('Su lector no envía el separador.')).toBeVisible();
  expect(screen.getByText(/GS1 \/ FNC1 → GS/)).toBeVisible();
  expect(screen.getByText('No llegó')).toBeVisible();
});

it('starts again with the next scan, and reports unknown text', async () => {
  const asked = serveLookup(null);
  await render({ at: '/users/account/reader' }, nurse);
  const field = await screen.findByRole('textbox', { name: 'Escanee aquí' });
  scan(field, GOOD);
  scan(field, 'hola');
  expect(await screen.findByText('El servidor no reconoce este texto.')).toBeVisible();
  expect(field).toHaveValue('hola');
  expect(asked.at(-1)).toBe('hola true');
  await userEvent.click(screen.getByRole('button', { name: 'Empezar de nuevo' }));
  await waitFor(() => expect(field).toHaveValue(''));
  expect(field).toHaveFocus();
});

it('accepts pasted text, and looks it up after a pause', async () => {
  const asked = serveLookup();
  await render({ at: '/users/account/reader' }, nurse);
  const field = await screen.findByRole('textbox', { name: 'Escanee aquí' });
  await userEvent.click(field);
  await userEvent.paste('9506000134352');
  expect(await screen.findByText('Su lector lee EAN-13 correctamente.')).toBeVisible();
  expect(asked).toEqual(['9506000134352 true']);
});
