import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** Choose an action in the menu of a list's row. */
export async function chooseInMenu(of: string, action: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Más acciones: ${of}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
}
