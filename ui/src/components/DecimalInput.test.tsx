import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { Language } from '@/i18n/language';
import { render } from '@/test/render';
import { DecimalInput } from './DecimalInput';

function Field({ initial }: { initial: number | null }) {
  const [value, setValue] = useState(initial);
  return (
    <>
      <DecimalInput label="Cantidad" value={value} onChange={setValue} />
      <output>{String(value)}</output>
      <button type="button" onClick={() => setValue(0)}>
        reset
      </button>
    </>
  );
}

async function field(language: Language, initial: number | null = 0) {
  await render(<Field initial={initial} />, { language });
  return screen.getByLabelText('Cantidad');
}

it.each([
  ['es', '0,5', '0,5', '0.5'],
  ['es', '0.5', '0,5', '0.5'],
  ['es', '1.234,5', '1234,5', '1234.5'],
  ['es', '1234.5', '1234,5', '1234.5'],
  ['en', '0,5', '0.5', '0.5'],
  ['en', '1,234.5', '1234.5', '1234.5'],
  ['en', '1234.5', '1234.5', '1234.5'],
  ['es', '-3', '3', '3'],
] as const)('in %s, typing %s writes %s and means %s', async (language, typed, shown, meant) => {
  const input = await field(language);
  await userEvent.type(input, typed, { initialSelectionStart: 0, initialSelectionEnd: 9 });
  expect(input).toHaveValue(shown);
  expect(screen.getByRole('status')).toHaveTextContent(meant);
});

it.each([
  ['es', '1.234,5', '1234,5'],
  ['es', '1234.5', '1234,5'],
  ['es', '1.234', '1234'],
  ['en', '1.234,5', '1234.5'],
  ['en', '1,234', '1234'],
] as const)('in %s, pasting %s writes %s', async (language, pasted, shown) => {
  const input = await field(language, null);
  await userEvent.click(input);
  await userEvent.paste(pasted);
  expect(input).toHaveValue(shown);
});

it('reads as a whole what is dictated or filled in by the browser', async () => {
  const input = await field('es', null);
  fireEvent.input(input, { target: { value: '1.234,5' }, inputType: 'insertText', data: '1.234,5' });
  expect(input).toHaveValue('1234,5');
});

it('keeps the mark on its way where a touch keyboard writes the whole text at each key', async () => {
  const input = await field('es', null);
  for (const text of ['0', '0.', '0.5'])
    fireEvent.input(input, { target: { value: text }, inputType: 'insertCompositionText', data: text });
  expect(input).toHaveValue('0,5');
});

it('keeps what was there when something that is no number is pasted', async () => {
  const input = await field('es', 7);
  await userEvent.click(input);
  await userEvent.paste('siete');
  expect(input).toHaveValue('7');
});

it('follows a value that is set from outside', async () => {
  const input = await field('es', 2.5);
  expect(input).toHaveValue('2,5');
  await userEvent.click(screen.getByText('reset'));
  expect(input).toHaveValue('0');
});
