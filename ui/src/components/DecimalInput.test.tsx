import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import type { Decimal } from '@/i18n/decimal';
import type { Language } from '@/i18n/language';
import { scan } from '@/test/keys';
import { render } from '@/test/render';
import { DecimalInput, useDecimalRule } from './DecimalInput';

interface Options {
  initial?: Decimal;
  onScan?: (code: string) => void;
  onEnter?: () => void;
}

function Field({ initial = 0, onScan, onEnter }: Options) {
  const [value, setValue] = useState<Decimal>(initial);
  const rule = useDecimalRule();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onEnter?.();
      }}
    >
      <DecimalInput label="Cantidad" value={value} onChange={setValue} onScan={onScan} />
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
] as const)(
  'in %s, %s typed or pasted is %d, and stands as %s once it is left',
  async (language, text, number, after) => {
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
  },
);

it.each(['-1', '1e3', '-5', 'siete', '2x'])(
  'keeps %s as it was typed or pasted, and refuses it by quoting it',
  async (text) => {
    const input = await field('es');
    await replaceBy(input, text);
    expect(input).toHaveValue(text);
    expect(refused()).toBe(`«${text}» no vale: escriba 0 o más, como 0,5.`);
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

it('does not ask about a number that it was given', async () => {
  const input = await field('es', { initial: 1.125 });
  expect(input).toHaveValue('1,125');
  expect(screen.queryByRole('group')).toBeNull();
});

it('follows a value that is set from outside', async () => {
  const input = await field('es', { initial: 2.5 });
  expect(input).toHaveValue('2,5');
  await userEvent.click(screen.getByText('reset'));
  expect(input).toHaveValue('0');
});

it.each([
  [5, '{Enter}'],
  [30, '{Tab}'],
  [20, ''],
])('gives a code scanned at %i ms and ended with "%s" away, and keeps its number', async (every, suffix) => {
  const onScan = vi.fn();
  const onEnter = vi.fn();
  const input = await field('es', { initial: 3, onScan, onEnter });
  input.focus();
  await scan('102371', { every, suffix });
  await vi.waitFor(() => expect(onScan).toHaveBeenCalledExactlyOnceWith('102371'));
  expect(input).toHaveValue('3');
  expect(meant()).toBe(3);
  expect(input).toHaveFocus();
  expect(onEnter).not.toHaveBeenCalled();
});

it.each([
  ['7', 10, '{Enter}'],
  ['12', 5, '{Enter}'],
  ['12', 33, '{Tab}'],
  ['12', 20, ''],
  ['1234', 15, '{Enter}'],
])(
  'takes the short code %s, scanned at %i ms and ended with "%s", for no number',
  async (code, every, suffix) => {
    const onScan = vi.fn();
    const onEnter = vi.fn();
    const input = await field('es', { initial: 3, onScan, onEnter });
    input.focus();
    await scan(code, { every, suffix });
    await vi.waitFor(() => expect(onScan).toHaveBeenCalledExactlyOnceWith(code));
    expect(input).toHaveValue('3');
    expect(meant()).toBe(3);
    expect(onEnter).not.toHaveBeenCalled();
  },
);

it('takes what a quick person types for a number', async () => {
  const onScan = vi.fn();
  const onEnter = vi.fn();
  const input = await field('es', { initial: 3, onScan, onEnter });
  input.focus();
  await scan('12', { every: 60 });
  expect(meant()).toBe(12);
  expect(onEnter).toHaveBeenCalledOnce();
  expect(onScan).not.toHaveBeenCalled();
});

it('keeps what was typed before a scan, and takes it with the Enter of a person', async () => {
  const onScan = vi.fn();
  const onEnter = vi.fn();
  const input = await field('es', { onScan, onEnter });
  await replaceBy(input, '-4');
  await scan('750123');
  expect(onScan).toHaveBeenCalledWith('750123');
  expect(input).toHaveValue('-4');
  await userEvent.keyboard('12{Enter}');
  expect(onEnter).toHaveBeenCalledOnce();
});

it('says that a code was scanned where nothing takes one', async () => {
  const input = await field('es', { initial: 3 });
  input.focus();
  await scan('102371');
  expect(input).toHaveValue('3');
  expect(input).toHaveAccessibleDescription('Se escaneó «102371» y no se tomó: aquí se escribe un número.');
  await userEvent.keyboard('4');
  expect(input).toHaveValue('4');
  expect(input).not.toHaveAccessibleDescription();
});
