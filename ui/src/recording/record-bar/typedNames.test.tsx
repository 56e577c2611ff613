import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { scan } from '@/test/keys';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';
import { at, gauze, glove, product, quantity, record, serveWard } from '@/test/ward';

/** Open a sheet, and collect the typed names noted for each product. */
async function open() {
  const noted: { product: number; text: string }[] = [];
  const ward = serveWard({ seesPrices: false });
  server.use(
    http.post('/api/products/:id/typed-names', async ({ request, params }) => {
      noted.push({ product: Number(params.id), ...((await request.json()) as { text: string }) });
      return HttpResponse.json({ message: 'Sin servicio.' }, { status: 503 });
    }),
  );
  await render({ at }, { user: aNurse() });
  await product();
  return { ward, noted };
}

/** Replace the search text, and wait until it finds nothing. */
async function miss(text: string) {
  await userEvent.clear(await product());
  await userEvent.type(await product(), text);
  await screen.findByRole('option', { name: `Anotar «1 ${text}»` });
}

it('notes a failed search for the recorded product, silently', async () => {
  const { ward, noted } = await open();
  await miss('apo');
  await miss('aposito');
  await miss('apos');
  await userEvent.clear(await product());
  await userEvent.type(await product(), 'gasa{Enter}');
  await waitFor(() => expect(quantity()).toHaveFocus());
  expect(noted).toEqual([]);
  await userEvent.keyboard('2{Enter}');
  await waitFor(() => expect(noted).toEqual([{ product: gauze.id, text: 'aposito' }]));
  await record('gasa', '1');
  await waitFor(() => expect(ward.sent).toHaveLength(2));
  expect(noted).toHaveLength(1);
  expect(screen.queryByText('Sin servicio.')).toBeNull();
});

it('notes the text for a similar product, without the quantity', async () => {
  const { noted } = await open();
  server.use(http.get('/api/products', () => HttpResponse.json({ ...aPage([]), nearest: [glove] })));
  await userEvent.type(await product(), '3 gaunte');
  await userEvent.click(await screen.findByRole('option', { name: /Guante de nitrilo M/ }));
  await waitFor(() => expect(quantity()).toHaveFocus());
  await userEvent.keyboard('3{Enter}');
  await waitFor(() => expect(noted).toEqual([{ product: glove.id, text: 'gaunte' }]));
});

it('notes nothing after an unlisted item or a scan', async () => {
  const { ward, noted } = await open();
  server.use(
    http.post('/api/consumption-sheets/1/unlisted-items', () =>
      HttpResponse.json({ id: 1 }, { status: 201 }),
    ),
    http.get('/api/consumption-sheets/1/unlisted-items', () => HttpResponse.json({ items: [] })),
  );
  await miss('bisturi');
  await userEvent.keyboard('{Enter}');
  await record('gasa', '1');
  await waitFor(() => expect(ward.sent).toHaveLength(1));
  await miss('guate');
  ward.symbols['95200001'] = { matches: [{ product: gauze, system: 'gtin', units: 1, label: null }] };
  await userEvent.clear(await product());
  await scan('95200001');
  await waitFor(() => expect(ward.lookedUp).toContain('95200001'));
  await record('guante de nitrilo m', '1');
  await waitFor(() => expect(ward.sent).toHaveLength(3));
  expect(noted).toEqual([]);
});
