import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import type { Language } from './language';
import { useFormat } from './useFormat';
import { useText } from './useText';

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
  const t = useText();
  return (
    <p>
      {[
        format.money(1250),
        format.quantity(1234.5),
        format.roughMoney(1_200),
        // Numbers in texts look the same.
        t('sheets.recorded', { count: 1040 }),
        t('outbox.unsentNow', { count: 1000 }),
      ].join(' | ')}
    </p>
  );
}

it.each<[Language, string, string]>([
  ['es', 'language', '$1.250,00 | 1.234,5 | $1,2 mil | 1.040 líneas | 1.000 sin enviar'],
  ['es', 'point', '$1,250.00 | 1,234.5 | $1.2 mil | 1,040 líneas | 1,000 sin enviar'],
  ['en', 'language', '$1,250.00 | 1,234.5 | $1.2K | 1,040 lines | 1,000 unsent'],
  ['en', 'comma', '$1.250,00 | 1.234,5 | $1,2K | 1.040 lines | 1.000 unsent'],
])('writes numbers in %s as the hospital does: %s', async (language, number_format, written) => {
  server.use(http.get('/api/settings', () => HttpResponse.json({ currency: 'USD', number_format })));
  await render(<Amounts />, { user: aNurse(), language });
  expect(await screen.findByText(written)).toBeVisible();
});
