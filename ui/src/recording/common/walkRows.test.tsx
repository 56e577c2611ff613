import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { aDetail, at, glove, product, serveWard } from '@/test/ward';

it('moves between bar and lines, edits on Enter, voids on Delete', async () => {
  serveWard({
    details: [aDetail(2, { product_id: 2, product: glove }), aDetail(1)],
  });
  await render({ at }, { user: aSupervisor() });
  await userEvent.click(await product());
  await userEvent.keyboard('{Escape}{ArrowUp}');
  expect(document.activeElement).toHaveAttribute('id', 'detail-2');
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement).toHaveAttribute('id', 'detail-1');
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('row', { name: 'Editar detalle de consumo' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  document.getElementById('detail-2')?.focus();
  await userEvent.keyboard('{Delete}');
  expect(await screen.findByRole('dialog')).toHaveTextContent('Guante de nitrilo M');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  document.getElementById('detail-2')?.focus();
  await userEvent.keyboard('{ArrowUp}');
  expect(await product()).toHaveFocus();
});

it('leaves the list of usual products closed when moving to the lines', async () => {
  serveWard({ details: [aDetail(1)] });
  await render({ at }, { user: aSupervisor() });
  const field = await product();
  await waitFor(() => expect(document.getElementById('detail-1')).toBeVisible());
  act(() => field.focus());
  await userEvent.keyboard('{ArrowUp}');
  expect(document.activeElement).toHaveAttribute('id', 'detail-1');
  expect(field).toHaveAttribute('aria-expanded', 'false');
});
