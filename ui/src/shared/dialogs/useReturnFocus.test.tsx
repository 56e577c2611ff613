import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
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

describe('a focused element that disappears', () => {
  function Page() {
    const [ids, setIds] = useState([1, 2, 3]);
    return (
      <>
        <input aria-label="Barra" data-landing />
        <table>
          <tbody>
            {ids.map((id) => (
              <tr key={id} id={`line-${id}`} tabIndex={-1}>
                <td>
                  <button type="button" onClick={() => setIds(ids.filter((one) => one !== id))}>
                    {`Borrar ${id}`}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>Aparte</p>
      </>
    );
  }
  const remove = (id: number) => userEvent.click(screen.getByRole('button', { name: `Borrar ${id}` }));

  it('leaves the focus to the next row, the one before, or the landing', async () => {
    await render(<Page />);
    await remove(2);
    await waitFor(() => expect(document.getElementById('line-3')).toHaveFocus());
    await remove(3);
    await waitFor(() => expect(document.getElementById('line-1')).toHaveFocus());
    await remove(1);
    await waitFor(() => expect(screen.getByLabelText('Barra')).toHaveFocus());
  });

  it('takes no focus after a click beside everything', async () => {
    await render(<Page />);
    const last = screen.getByRole('button', { name: 'Borrar 3' });
    last.focus();
    await userEvent.click(screen.getByText('Aparte'));
    expect(document.body).toHaveFocus();
    fireEvent.click(last);
    await waitFor(() => expect(last).not.toBeInTheDocument());
    expect(document.body).toHaveFocus();
  });
});

it('leaves the focus to the landing after a dialog that nothing opened', async () => {
  serveWard({ details: [aDetail(1)] });
  await render({ at }, { user: aSupervisor() });
  await screen.findByRole('button', { name: 'Más acciones: Gasa estéril · GR-1' });
  (document.activeElement as HTMLElement).blur();
  expect(document.body).toHaveFocus();
  await userEvent.keyboard('?');
  await screen.findByRole('dialog');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.body).not.toHaveFocus();
});
