import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { aDetail, at, serveWard } from '@/test/ward';

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
