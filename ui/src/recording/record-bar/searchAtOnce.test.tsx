import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { ProductView } from '@/api/generated';
import { deviceDatabase } from '@/device/database';
import { holdTimers } from '@/test/keys';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';
import { aProduct, at, product, quantity, serveWard } from '@/test/ward';
import { PRODUCT_WAIT } from '@/topics/catalogue/productSearch';

const radiopaque = aProduct(1, 'Gasa con trama radiopaca', 0.9);
const sterile = aProduct(2, 'Gasa estéril', 0.35);
const newest = aProduct(3, 'Gasa absorbente', 0.5);
const onDevice = [radiopaque, sterile, aProduct(4, 'Guante', 1)];

/**
 * Store the catalogue on the device.
 *
 * The server answers every search with `answer`.
 */
async function open({ answer, usual = [] }: { answer: ProductView[]; usual?: ProductView[] }) {
  await (await deviceDatabase()).put(
    'catalogue',
    {
      version: 1,
      fetched_at: new Date().toISOString(),
      products: onDevice.map(({ id, name, code, unit }) => [
        id,
        name,
        code,
        unit,
        3,
        false,
        false,
        true,
        [],
        false,
      ]),
      codes: [],
      kits: [],
      areas: [],
      pictures: [],
      installation: 123456,
    },
    'catalogue',
  );
  const ward = serveWard();
  ward.usual = usual;
  server.use(http.get('/api/products', () => HttpResponse.json(aPage(answer))));
  await render({ at }, { user: aSupervisor() });
  await product();
}

const names = () => screen.getAllByRole('option').map((option) => option.textContent);

it('answers from the device, then adds results below', async () => {
  await open({ answer: [newest, radiopaque, sterile] });
  const release = holdTimers(PRODUCT_WAIT);
  await userEvent.type(await product(), 'gas');
  await waitFor(() =>
    expect(names()).toEqual([
      expect.stringMatching(/^Gasa con trama radiopaca/),
      expect.stringMatching(/^Gasa estéril/),
    ]),
  );
  expect(screen.queryByText(/0,35/)).toBeNull();
  await userEvent.keyboard('{ArrowDown}');
  const pointedAt = () => document.querySelector('[data-combobox-selected]')?.textContent;
  expect(pointedAt()).toContain('Gasa estéril');
  release();
  await waitFor(() =>
    expect(names()).toEqual([
      expect.stringMatching(/^Gasa con trama radiopaca.*0,90/),
      expect.stringMatching(/^Gasa estéril.*0,35/),
      expect.stringMatching(/^Gasa absorbente.*0,50/),
    ]),
  );
  expect(pointedAt()).toContain('Gasa estéril');
});

it("chooses the device's result on Enter, a usual product first", async () => {
  await open({ answer: [], usual: [sterile] });
  await userEvent.click(await product());
  await screen.findAllByRole('option');
  const release = holdTimers(PRODUCT_WAIT);
  await userEvent.type(await product(), 'gasa');
  await waitFor(() => expect(names()).toHaveLength(2));
  await userEvent.keyboard('{Enter}');
  expect(await product()).toHaveValue('Gasa estéril');
  expect(quantity()).toHaveFocus();
  release();
});

it('waits for the server if the device finds nothing', async () => {
  await open({ answer: [] });
  const release = holdTimers(PRODUCT_WAIT);
  await userEvent.type(await product(), 'zeta');
  expect(screen.getAllByText('Espera mientras se obtienen los elementos')[0]).toBeVisible();
  release();
  expect((await screen.findAllByText(/No se encontr|No hay|Sin result/))[0]).toBeVisible();
});
