import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { ToastPlace } from '@/shared/dialogs/ToastPlace';
import { toast } from '@/shared/ui/toast';
import { render } from '@/test/render';

let setPlaced: (isPlaced: boolean) => void;

function Page() {
  const [isPlaced, set] = useState(false);
  setPlaced = set;
  return <main>{isPlaced && <ToastPlace />}</main>;
}

it('moves a toast between the corner and the place of a page', async () => {
  await render(<Page />);
  act(() => void toast.success('Guardado'));
  const shown = await screen.findByText('Guardado');
  act(() => setPlaced(true));
  expect(screen.getByRole('main')).toContainElement(shown);
  act(() => setPlaced(false));
  expect(screen.getByRole('main')).not.toContainElement(shown);
  expect(shown).toBeVisible();
});
