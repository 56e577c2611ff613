import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { Decimal } from '@/i18n/decimal';
import type { Language } from '@/i18n/language';
import { render } from '@/test/render';
import { DecimalInput, useDecimalRule } from './DecimalInput';

interface Options {
  initial?: Decimal;
}

function Field({ initial = 0 }: Options) {
  const [value, setValue] = useState<Decimal>(initial);
  const rule = useDecimalRule();
  return (
    <form>
      <DecimalInput label="Cantidad" value={value} onChange={setValue} />
      <output>{JSON.stringify(value)}</output>
      <output>{rule(value)}</output>
      <button type="button" onClick={() => setValue(0)}>
        reset
      </button>
    </form>
  );
}

async function field(language: Language, options: Options = {}) {
  await render(<Field {...options} />, { language });
  return screen.getByLabelText('Cantidad');
}
const replaceBy = (input: HTMLElement, text: string) =>
  userEvent.type(input, text, { initialSelectionStart: 0, initialSelectionEnd: 99 });
const meant = () => JSON.parse(screen.getAllByRole('status')[0]?.textContent ?? '');
const refused = () => screen.getAllByRole('status')[1]?.textContent;

it.each([
  ['es', '0,5', 0.5, '0,5'],
  ['es', '0.5', 0.5, '0,5'],
  ['es', '1.234,5', 1234.5, '1234,5'],
  ['es', '1234.5', 1234.5, '1234,5'],
  ['en', '0,5', 0.5, '0.5'],
  ['en', '1.234,5', 1234.5, '1234.5'],
  ['en', '1234.5', 1234.5, '1234.5'],
] as const)('in %s, reads %s as %d and shows %s after blur', async (language, text, number, after) => {
  const input = await field(language);
  await replaceBy(input, text);
  expect(input).toHaveValue(text);
  expect(meant()).toBe(number);
  await userEvent.tab();
  expect(input).toHaveValue(after);
  expect(meant()).toBe(number);

  await userEvent.click(input);
  await userEvent.paste(text);
  expect(input).toHaveValue(text);
  expect(meant()).toBe(number);
});

it.each(['-1', '1e3', '-5', 'siete', '2x'])(
  'keeps %s as typed or pasted, and quotes it when refusing',
  async (text) => {
    const input = await field('es');
    await replaceBy(input, text);
    expect(input).toHaveValue(text);
    expect(refused()).toBe(`«${text}» no es un número válido: escriba 0 o más, por ejemplo 0,5.`);
    await userEvent.tab();
    await userEvent.click(input);
    await userEvent.paste(text);
    expect(input).toHaveValue(text);
    expect(meant()).toBe(text);
  },
);

it.each([
  ['es', '1.500', '¿«1.500» es 1,5 o 1500?', '1,5', 1.5],
  ['es', '1,500', '¿«1,500» es 1,5 o 1500?', '1500', 1500],
  ['en', '1.500', 'Is “1.500” 1.5 or 1500?', '1500', 1500],
  ['en', '1,500', 'Is “1,500” 1.5 or 1500?', '1.5', 1.5],
] as const)('in %s, asks which number %s is', async (language, text, question, answer, number) => {
  const input = await field(language);
  await replaceBy(input, text);
  expect(input).toHaveAccessibleDescription(question);
  expect(refused()).toBe(question);
  expect(meant()).toBe(text);
  await userEvent.click(screen.getByRole('button', { name: answer }));
  expect(meant()).toBe(number);
  expect(input).toHaveValue(answer);
  expect(input).toHaveFocus();
  expect(screen.queryByRole('group')).toBeNull();
  await userEvent.tab();
  expect(meant()).toBe(number);
});

it('does not ask about a numeric value', async () => {
  const input = await field('es', { initial: 1.125 });
  expect(input).toHaveValue('1,125');
  expect(screen.queryByRole('group')).toBeNull();
});

it('shows a value that is set from outside', async () => {
  const input = await field('es', { initial: 2.5 });
  expect(input).toHaveValue('2,5');
  await userEvent.click(screen.getByText('reset'));
  expect(input).toHaveValue('0');
});
