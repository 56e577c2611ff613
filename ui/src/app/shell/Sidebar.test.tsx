import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { Sidebar } from './Sidebar';

it('links the name at its foot to the account, beside the menu', async () => {
  await render(<Sidebar onShortcuts={() => {}} />, { user: aNurse() });
  const foot = within(screen.getByRole('region', { name: 'Su cuenta' }));
  expect(foot.getByRole('link', { name: /Lucía/ })).toHaveAttribute('href', '/users/account');
  await userEvent.click(foot.getByRole('button', { name: 'Su cuenta' }));
  expect(await screen.findByRole('menuitem', { name: 'Perfil' })).toBeVisible();
  expect(foot.getByRole('button', { name: 'Cerrar sesión' })).toBeVisible();
});
