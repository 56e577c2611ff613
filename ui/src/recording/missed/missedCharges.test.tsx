import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { singleKeys } from '@/shared/ui/singleKeys';
import { aQuestion, serveMissed } from '@/test/missed';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { gauze, glove, largeGlove } from '@/test/ward';
import MissedCharges from './MissedCharges';

afterEach(() => {
  vi.useRealTimers();
});

async function ask(...products: (typeof gauze)[]) {
  const answers = serveMissed([]);
  const used: number[] = [];
  await render(
    <MissedCharges sheetId={1} questions={products.map(aQuestion)} onUsed={({ id }) => used.push(id)} />,
    { user: aNurse() },
  );
  return { answers, used };
}

it('asks about each product, and remembers what was not used', async () => {
  const { answers, used } = await ask(glove, largeGlove);
  expect(screen.getAllByText(`Con ${gauze.name} casi siempre:`)).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'No se usó: Guante de nitrilo M · GR-2' }));
  expect(screen.queryByRole('button', { name: /nitrilo M/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'No se usó: Guante de nitrilo G · GR-3' }));
  expect(screen.getByRole('status')).toHaveTextContent('Anotado.');
  await waitFor(() => expect(answers).toHaveLength(2));
  expect(answers).toContainEqual({ product: '2', because_id: 1, used: false });
  expect(used).toEqual([]);
});

it('asks nothing without questions', async () => {
  await ask();
  expect(screen.queryByText('¿Falta registrar algo?')).toBeNull();
});

it('takes no product by a key that is typed, or turned off', async () => {
  const { used } = await ask(glove, largeGlove);
  vi.useFakeTimers();
  const press = (target: Element) => {
    fireEvent.keyDown(target, { key: '2', code: 'Digit2' });
    act(() => vi.advanceTimersByTime(1_000));
  };
  const field = document.body.appendChild(document.createElement('textarea'));
  press(field);
  field.remove();
  singleKeys.turn(false);
  press(document.body);
  expect(used).toEqual([]);
});

it('takes the product of a number key, but not of a scan', async () => {
  const { used } = await ask(glove, largeGlove);
  vi.useFakeTimers();
  const press = (key: string) => fireEvent.keyDown(document.body, { key, code: `Digit${key}` });
  press('2');
  press('7');
  act(() => vi.advanceTimersByTime(1_000));
  expect(used).toEqual([]);
  press('2');
  act(() => vi.advanceTimersByTime(1_000));
  expect(used).toEqual([3]);
});
