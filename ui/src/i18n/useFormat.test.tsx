import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
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
