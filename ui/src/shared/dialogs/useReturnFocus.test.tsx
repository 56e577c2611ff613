import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { aDetail, at, serveWard } from '@/test/ward';
import { useReturnFocus } from './useReturnFocus';

it('returns the focus to the menu button after a dialog', async () => {
  serveWard({ details: [aDetail(1)] });
  await render({ at }, { user: aSupervisor() });
  for (const item of ['Devolver Gasa estéril · GR-1', 'Mover Gasa estéril · GR-1 a otra hoja']) {
    await userEvent.click(await screen.findByRole('button', { name: 'Más acciones: Gasa estéril · GR-1' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: item }));
    await screen.findByRole('dialog');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Más acciones: Gasa estéril · GR-1' })).toHaveFocus(),
    );
  }
});

it('returns the focus to a button that was disabled while the dialog loaded', async () => {
  function Page() {
    const [step, setStep] = useState<'closed' | 'loading' | 'open'>('closed');
    useReturnFocus(step === 'open');
    return (
      <>
        <button type="button" disabled={step === 'loading'} onClick={() => setStep('loading')}>
          Cerrar hoja
        </button>
        <div role="dialog">
          <button type="button" onMouseEnter={() => setStep('open')} onMouseLeave={() => setStep('closed')}>
            Aquí
          </button>
        </div>
      </>
    );
  }
  await render(<Page />);
  const button = screen.getByRole('button', { name: 'Cerrar hoja' });
  await userEvent.click(button);
  // Browsers take the focus from a disabled button.
  screen.getByRole('button', { name: 'Aquí' }).focus();
  screen.getByRole('button', { name: 'Aquí' }).blur();
  expect(document.body).toHaveFocus();
  await userEvent.hover(screen.getByRole('button', { name: 'Aquí' }));
  await userEvent.unhover(screen.getByRole('button', { name: 'Aquí' }));
  expect(button).toHaveFocus();
});
