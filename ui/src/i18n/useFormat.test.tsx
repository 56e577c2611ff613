import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import type { Language } from './language';
import { useFormat } from './useFormat';

function Axis() {
  const format = useFormat();
  return <p>{[950, 1_200, 15_000, 1_250_000].map(format.roughMoney).join(' | ')}</p>;
}

it.each<[Language, string]>([
  ['es', '$950 | $1,2 mil | $15 mil | $1,3 M'],
  ['en', '$950 | $1.2K | $15K | $1.3M'],
])('writes sums on an axis as they are written in %s', async (language, written) => {
  await render(<Axis />, { user: aNurse(), language });
  expect(await screen.findByText(written)).toBeVisible();
});

function Amounts() {
  const format = useFormat();
  return <p>{[format.money(1250), format.quantity(1234.5), format.roughMoney(1_200)].join(' | ')}</p>;
}

it.each<[Language, string, string]>([
  ['es', 'language', '$1.250,00 | 1.234,5 | $1,2 mil'],
  ['es', 'point', '$1,250.00 | 1,234.5 | $1.2 mil'],
  ['en', 'language', '$1,250.00 | 1,234.5 | $1.2K'],
  ['en', 'comma', '$1.250,00 | 1.234,5 | $1,2K'],
])('writes numbers in %s as the hospital does: %s', async (language, number_format, written) => {
  server.use(http.get('/api/settings', () => HttpResponse.json({ currency: 'USD', number_format })));
  await render(<Amounts />, { user: aNurse(), language });
  expect(await screen.findByText(written)).toBeVisible();
});
