import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import '@/shared/dialogs/useReturnFocus';
import { render } from '@/test/render';
import { OverflowMenuButton } from './OverflowMenuButton';

const items = [{ label: 'Reponer', run: () => {} }];
const menuButton = () => screen.getByRole('button', { name: 'Más acciones' });

async function page() {
  const onFocus = vi.fn();
  await render(
    <>
      <input aria-label="Barra" data-landing onFocus={onFocus} />
      <OverflowMenuButton label="Más acciones" items={items} />
    </>,
  );
  menuButton().focus();
  return { onFocus, bar: screen.getByLabelText('Barra'), pressed: menuButton() };
}

it('keeps the focus of the pressed button until the menu has it', async () => {
  const { onFocus, pressed } = await page();
  fireEvent.click(pressed);
  await waitFor(() => expect(screen.getByRole('menuitem')).toHaveFocus());
  expect(onFocus).not.toHaveBeenCalled();
});

it('opens no menu after typing has moved to a field', async () => {
  const { bar, pressed } = await page();
  act(() => {
    fireEvent.click(pressed);
    bar.focus();
  });
  await waitFor(() => expect(pressed).not.toBeInTheDocument());
  expect(bar).toHaveFocus();
  expect(screen.queryByRole('menu')).toBeNull();
  fireEvent.click(menuButton());
  await screen.findByRole('menuitem');
});

it('takes Escape for itself before an item has the focus', async () => {
  const onKeyDown = vi.fn((event: KeyboardEvent) => event.defaultPrevented);
  await page();
  fireEvent.click(menuButton());
  await screen.findByRole('menuitem');
  document.addEventListener('keydown', onKeyDown);
  fireEvent.keyDown(menuButton(), { key: 'Escape' });
  fireEvent.keyDown(menuButton(), { key: 'Escape' });
  document.removeEventListener('keydown', onKeyDown);
  expect(onKeyDown.mock.results.map(({ value }) => value)).toEqual([true, false]);
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
});
