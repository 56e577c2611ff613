import { useForm } from '@mantine/form';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { render } from '@/test/render';
import { DateField, readDay, useDayRule } from './DateField';

it.each([
  ['21/11/2026', true, '2026-11-21'],
  ['11/21/2026', false, '2026-11-21'],
  ['1-2-1985', true, '1985-02-01'],
  ['01021985', true, '1985-02-01'],
  ['1985-02-01', true, '1985-02-01'],
  ['31/02/2026', true, null],
  ['ayer', true, null],
  ['', true, null],
])('reads "%s" (day first: %s) as %s', (text, dayFirst, day) => {
  expect(readDay(text, dayFirst)).toBe(day);
});

function Form({ save }: { save: (day: string | null) => void }) {
  const form = useForm({
    initialValues: { day: '2026-11-20' as string | null },
    validate: { day: useDayRule() },
  });
  return (
    <form noValidate onSubmit={form.onSubmit(({ day }) => save(day))}>
      <DateField label="Día" keepsText {...form.getInputProps('day')} />
      <button type="submit">Guardar</button>
    </form>
  );
}

it('keeps an invalid date, reports it, and blocks saving', async () => {
  const save = vi.fn();
  await render(<Form save={save} />);
  const field = await screen.findByLabelText('Día');
  await userEvent.clear(field);
  await userEvent.type(field, '31/02/2026');
  expect(field).not.toHaveAccessibleDescription();
  await userEvent.tab();
  expect(field).toHaveValue('31/02/2026');
  expect(field).toHaveAccessibleDescription('No es una fecha. Escríbala en este formato: dd/mm/aaaa.');
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(save).not.toHaveBeenCalled();
  expect(field).toHaveValue('31/02/2026');

  await userEvent.clear(field);
  await userEvent.type(field, '1/3/2026{Enter}');
  expect(save).toHaveBeenLastCalledWith('2026-03-01');
  await userEvent.tab();
  expect(field).toHaveValue('01/03/2026');
  expect(field).not.toHaveAccessibleDescription();

  await userEvent.clear(field);
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(save).toHaveBeenLastCalledWith(null);
});

it('restores the previous day in a filter', async () => {
  const chosen = vi.fn();
  await render(<DateField label="Desde" value="2026-11-20" onChange={chosen} />);
  const field = await screen.findByLabelText('Desde');
  await userEvent.type(field, '9');
  await userEvent.tab();
  expect(field).toHaveValue('20/11/2026');
  expect(chosen).not.toHaveBeenCalled();
});
