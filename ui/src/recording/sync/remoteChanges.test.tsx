import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { DetailView } from '@/api/generated';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { setRecordDelay } from '@/test/setRecordDelay';
import { aSheet } from '@/test/sheets';
import { aDetail, at, product, quantity, record, rows, serveWard } from '@/test/ward';

setRecordDelay(20);

const open = async () => within(await screen.findByRole('list', { name: 'Sin registrar' }));

describe('a possible duplicate', () => {
  const text = '¿Repetido? Ana registró 2 de lo mismo hace 3 min.';
  const warned = () => {
    const ward = serveWard();
    ward.warn = ({ product_id }) =>
      product_id === 1 ? [{ code: 'detail.repeated', message: text }] : undefined;
    return ward;
  };

  it('warns under the line, once per product after confirmation', async () => {
    warned();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '2');
    expect(await screen.findByRole('button', { name: 'Es correcto' })).toBeVisible();
    expect(screen.getAllByText(text, { exact: false })).toHaveLength(2);
    expect(screen.getByText(`Registrado: 2 Gasa estéril ${text}`)).toHaveAttribute('role', 'status');
    // The warning does not block recording.
    await record('nitrilo m', '1');
    await userEvent.click(screen.getByRole('button', { name: 'Es correcto' }));
    expect(screen.queryByText(text, { exact: false })).toBeNull();
    expect(await product()).toHaveFocus();
    await record('gasa', '4');
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(screen.queryByText(text, { exact: false })).toBeNull();
  });

  it('is voided by its own button, even after later lines', async () => {
    const ward = warned();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '2');
    await record('nitrilo m', '1');
    await waitFor(() => expect(ward.details).toHaveLength(2));
    await userEvent.click(await screen.findByRole('button', { name: 'Deshacer' }));
    await waitFor(() => expect(ward.details).toMatchObject([{ product_id: 2 }]));
    expect(screen.queryByText(text, { exact: false })).toBeNull();
    expect(await product()).toHaveValue('');
  });
});

describe('changes by another user', () => {
  /** Poll at once, as when the page becomes visible. */
  const look = () => document.dispatchEvent(new Event('visibilitychange'));
  const theirs = (id: number, change: Partial<DetailView> = {}) =>
    aDetail(id, {
      user_id: 99,
      staff: { id: 8, name: 'María', first_surname: 'Quispe', second_surname: null },
      created_at: '2026-11-20T13:00:00Z',
      ...change,
    });
  const change = (ward: ReturnType<typeof serveWard>, details: DetailView[]) => {
    ward.details = details;
    ward.sheet = { ...ward.sheet, version: ward.sheet.version + 1 };
  };

  it('are reported and highlighted when recorded', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(screen.queryByText('Nuevo')).toBeNull();
    change(ward, [theirs(2), ...ward.details]);
    look();
    expect(await screen.findByText('María Quispe registró 2 Gasa estéril · GR-1')).toBeVisible();
    expect(rows()[0]).toContain('Nuevo');
    expect(rows()[1]).not.toContain('Nuevo');
    await userEvent.click(screen.getByRole('button', { name: 'Cerrar aviso' }));
    expect(screen.queryByText('María Quispe registró 2 Gasa estéril · GR-1')).toBeNull();
    expect(rows()[0]).toContain('Nuevo');
  });

  it('are reported when corrected or deleted, the rest counted', async () => {
    const ward = serveWard({ details: [aDetail(3), aDetail(2), aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(3));
    change(ward, [theirs(5), aDetail(3, { version: 2, quantity: 7 }), aDetail(1)]);
    look();
    expect(await screen.findByText('Otra persona corrigió Gasa estéril · GR-1')).toBeVisible();
    expect(screen.getByText('Otra persona borró 2 Gasa estéril · GR-1')).toBeVisible();
    expect(screen.getByText('1 cambio más de otras personas')).toBeVisible();
    expect(rows()[1]).toContain('Corregido');
  });

  it('exclude corrections by the same user, on whichever device', async () => {
    const ward = serveWard({ details: [aDetail(2, { quantity: 5 }), aDetail(1)] });
    const user = aSupervisor();
    await render({ at }, { user });
    await waitFor(() => expect(rows()).toHaveLength(2));
    change(ward, [aDetail(9, { user_id: user.id, quantity: 4, corrected_from: 5 }), aDetail(1)]);
    look();
    await waitFor(() => expect(rows()[0]).toContain('4'));
    expect(screen.queryByText(/registró|borró|corrigió|Nuevo/)).toBeNull();
  });

  it('exclude changes made here and older lines loaded later', async () => {
    const details = Array.from({ length: 8 }, (_, place) =>
      aDetail(20 - place, { created_at: `2026-11-19T10:00:0${9 - place}Z` }),
    );
    const ward = serveWard({ details });
    ward.atATime = 5;
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    await waitFor(() => expect(rows()[0]).toContain('1Gasa estéril GR-1 · par'));
    look();
    await userEvent.click(screen.getByRole('button', { name: /^Mostrar/ }));
    await waitFor(() => expect(rows()).toHaveLength(9));
    await userEvent.click(
      await within(screen.getByRole('table')).findByRole('button', { name: /^Deshacer/ }),
    );
    await waitFor(() => expect(rows()).toHaveLength(8));
    expect(ward.deleted).toHaveLength(1);
    expect(screen.queryByText(/registró|borró|corrigió|Nuevo/)).toBeNull();
  });

  it('cost only a version request, and none while hidden', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(1));
    const { read } = ward;
    look();
    await waitFor(() => expect(ward.looked).toBe(1));
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    look();
    await delay(50);
    expect([ward.looked, ward.read]).toEqual([1, read]);
  });

  it('keep the draft when the sheet is closed', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), 'nitrilo m{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await userEvent.keyboard('4');
    ward.sheet = aSheet({ version: 2, closed: true, deleted_at: '2026-11-20T15:00:00Z' });
    look();
    expect(await screen.findByText('Otra persona cerró esta hoja')).toBeVisible();
    expect((await open()).getByLabelText('Cantidad de Guante de nitrilo M · GR-2')).toHaveValue('4');
    // If recorded now, it becomes a late entry for the supervisor.
    expect((await open()).getByRole('button', { name: 'Registrar' })).toBeVisible();
  });

  it('leave the lines visible when the sheet is deleted', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(1));
    ward.sheetIsGone = true;
    look();
    expect(await screen.findByText('Otra persona eliminó esta hoja')).toBeVisible();
    expect(rows()[0]).toContain('Gasa estéril');
    expect(screen.queryByRole('button', { name: /Registrar|Cerrar hoja|Editar|Borrar/ })).toBeNull();
  });
});
