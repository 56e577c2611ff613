import { useForm } from '@mantine/form';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { type DateOrder, registerCalendar } from '@/i18n/calendar';
import { render } from '@/test/render';
import { DateField, readDay, useDayRule } from './DateField';

it.each<[string, DateOrder, string | null]>([
  ['21/11/2026', 'day', '2026-11-21'],
  ['11/21/2026', 'month', '2026-11-21'],
  ['1-2-1985', 'day', '1985-02-01'],
  ['01021985', 'day', '1985-02-01'],
  ['1985-02-01', 'day', '1985-02-01'],
  ['2026/2/1', 'year', '2026-02-01'],
  ['31/02/2026', 'day', null],
  ['ayer', 'day', null],
  ['', 'day', null],
])('reads "%s" (%s first) as %s', (text, order, day) => {
  expect(readDay(text, order)).toBe(day);
});

it.each([
  ['es-EC', 'DD/MM/YYYY', 'day'],
  ['en-US', 'MM/DD/YYYY', 'month'],
  ['de-DE', 'DD.MM.YYYY', 'day'],
  ['pt-BR', 'DD/MM/YYYY', 'day'],
  ['ja-JP', 'YYYY/MM/DD', 'year'],
])('writes days in %s as %s', (locale, form, order) => {
  expect(registerCalendar(locale)).toEqual({ form, order });
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
