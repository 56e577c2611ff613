import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

const NAMES = ['Ana', 'Luz', 'Eva'];

async function open() {
  const sheets = NAMES.map((name, place) =>
    aSheet({ id: place + 1, patient: { ...aSheet().patient, name } }),
  );
  server.use(http.get('/api/consumption-sheets', () => HttpResponse.json(aPage(sheets))));
  const rendered = await render({ at: '/consumption-sheets' }, { user: aSupervisor() });
  await screen.findByRole('row', { name: /Ana/ });
  return rendered;
}

const row = (name: string) => screen.getByRole('link', { name: `${name} Quispe Mamani` });
const menu = (name: string) => screen.getByRole('button', { name: `Más acciones: ${name} Quispe Mamani` });

it('has one tab stop for the headings, and one for the rows', async () => {
  await open();
  const stops = [...screen.getByRole('table').querySelectorAll<HTMLElement>('a, button')];
  expect(stops.filter(({ tabIndex }) => tabIndex === 0)).toEqual([
    screen.getByRole('link', { name: 'Habitación' }),
    row('Ana'),
  ]);
});

it('goes from row to row and to the menu by arrow keys', async () => {
  const { router } = await open();
  row('Ana').focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(row('Eva')).toHaveFocus();
  await userEvent.keyboard('{Home}{ArrowDown}');
  expect(row('Luz')).toHaveFocus();
  expect(row('Luz').tabIndex).toBe(0);
  expect(row('Ana').tabIndex).toBe(-1);
  await userEvent.keyboard('{ArrowRight}{ArrowUp}');
  expect(menu('Ana')).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}{End}{Enter}');
  expect(router.state.location.pathname).toBe('/consumption-sheet-details/3/consumption-details');
});

it('returns to the row when its menu closes', async () => {
  await open();
  menu('Luz').focus();
  await userEvent.keyboard('{Enter}');
  await screen.findByRole('menuitem', { name: 'Editar hoja' });
  await userEvent.keyboard('{ArrowDown}{Escape}');
  expect(menu('Luz')).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(row('Luz')).toHaveFocus();
});

it('goes to the headings above the first row', async () => {
  await open();
  row('Ana').focus();
  await userEvent.keyboard('{ArrowUp}{ArrowRight}');
  expect(screen.getByRole('link', { name: 'Paciente' })).toHaveFocus();
});

it('never cuts a name', async () => {
  await open();
  expect(row('Ana').closest('[data-clamped]')).toBeNull();
  expect(row('Ana').querySelector('[data-clamped]')).toBeNull();
  const doctor = screen.getAllByText('Dra. Paula Cisneros')[0];
  expect(doctor).toHaveAttribute('data-entire');
});
