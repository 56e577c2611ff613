import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { setRecordDelay } from '@/test/setRecordDelay';
import { aDetail, at, record, rows, serveWard } from '@/test/ward';

setRecordDelay(20);

describe('what each role sees', () => {
  it('shows ward staff no price, and delete only on own lines', async () => {
    serveWard({ seesPrices: false, details: [aDetail(1, { user_id: 3 }), aDetail(2)] });
    await render({ at }, { user: aNurse() });
    expect(await screen.findAllByRole('button', { name: 'Borrar Gasa estéril · GR-1' })).toHaveLength(1);
    // They may correct their own quantity: that voids the line and records it again.
    expect(screen.getAllByRole('button', { name: 'Editar Gasa estéril · GR-1' })).toHaveLength(1);
    expect(screen.queryByRole('columnheader', { name: 'Precio' })).toBeNull();
    expect(screen.queryByRole('combobox', { name: 'Personal' })).toBeNull();
    await record('gasa', '3');
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(document.body.textContent).not.toMatch(/\$|Total|GR\b(?!-)/);
  });

  it('shows the closed state of a closed sheet', async () => {
    serveWard({ sheet: { closed: true, deleted_at: '2026-11-20T15:00:00Z' }, details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    expect(await screen.findByText(/Se cerró el 20 nov 2026, 15:00/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /Registrar|Cerrar hoja|Editar|Borrar/ })).toBeNull();
  });

  it('shows an empty state without lines', async () => {
    serveWard();
    await render({ at }, { user: aNurse(), language: 'en' });
    expect(await screen.findByText('No data found')).toBeVisible();
  });

  it('shows a hundred lines, and more on request', async () => {
    serveWard({ details: Array.from({ length: 230 }, (_, place) => aDetail(300 - place)) });
    await render({ at }, { user: aSupervisor() });
    const drawn = () => document.querySelectorAll('tr[id^="detail-"]').length;
    await waitFor(() => expect(drawn()).toBe(100));
    expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '231');
    await userEvent.click(screen.getByRole('button', { name: 'Mostrar 100 más de 130' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Mostrar 30 más' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Mostrar/ })).toBeNull());
    // All lines are in the table, but only visible ones are rendered.
    expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '231');
  });
});
