import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import type { ProductView } from '@/api/generated';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { gauze, glove, largeGlove } from '@/test/ward';
import { useFixedUsual } from './useFixedUsual';
import { keepOrder, keptOrder } from './usualOrder';

beforeEach(() => localStorage.clear());

const user = aNurse();

function List({ items }: { items: ProductView[] }) {
  const [usual] = useState({ items, pinned: [] });
  const products = useFixedUsual(usual, 5);
  return <output>{products?.map(({ name }) => name).join(', ') ?? 'wait'}</output>;
}

it("keeps this shift's order, with new products last", async () => {
  keepOrder(user.id, 5, [glove.id, gauze.id]);
  await render(<List items={[gauze, largeGlove, glove]} />, { user });
  expect(await screen.findByText('Guante de nitrilo M, Gasa estéril, Guante de nitrilo G')).toBeVisible();
  expect(keptOrder(user.id, 5)).toEqual([glove.id, gauze.id, largeGlove.id]);
});

it('loads a kept product that is no longer usual', async () => {
  keepOrder(user.id, 5, [glove.id, gauze.id]);
  server.use(http.get(`/api/products/${glove.id}`, () => HttpResponse.json(glove)));
  await render(<List items={[largeGlove, gauze]} />, { user });
  expect(await screen.findByText('Guante de nitrilo M, Gasa estéril')).toBeVisible();
});

it('gives the number of an inactive product to a new one', async () => {
  keepOrder(user.id, 5, [glove.id, gauze.id]);
  server.use(http.get(`/api/products/${glove.id}`, () => HttpResponse.json({ ...glove, active: false })));
  await render(<List items={[largeGlove, gauze]} />, { user });
  expect(await screen.findByText('Guante de nitrilo G, Gasa estéril')).toBeVisible();
});

it('stores only ids on the device', async () => {
  await render(<List items={[gauze, glove]} />, { user });
  await screen.findByText('Gasa estéril, Guante de nitrilo M');
  const kept = JSON.parse(localStorage.getItem('usual') ?? '{}');
  expect(Object.values(kept)).toEqual([{ since: expect.any(Number), ids: [gauze.id, glove.id] }]);
});
