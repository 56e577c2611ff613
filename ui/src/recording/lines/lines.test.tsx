import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { setRecordDelay } from '@/test/setRecordDelay';
import { aDetail, at, gauze, outdated, refusal, rows, serveWard, whereMatches } from '@/test/ward';
import { noteWay } from '../common/waysDone';

setRecordDelay(20);

describe('the list of lines', () => {
  const group = (name: string) => within(screen.getByRole('rowgroup', { name }));

  it("groups lines by the hospital's days, each with its sum", async () => {
    const details = [
      aDetail(4, { created_at: '2025-11-20T12:30:00Z', total: 0.1 }),
      aDetail(3, { created_at: '2025-11-20T00:10:00Z', total: 0.2 }),
      aDetail(2, { created_at: '2025-11-19T23:50:00Z' }),
    ];
    serveWard({ details });
    await render({ at }, { user: aSupervisor() });
    expect(await screen.findByText('2 líneas · $0,30')).toBeVisible();
    expect(group('20 nov 2025').getAllByRole('row')).toHaveLength(2);
    expect(group('20 nov 2025').getAllByRole('row')[0]).toHaveTextContent('12:30');
    expect(group('19 nov 2025').getAllByRole('row')[0]).toHaveTextContent('23:50');
  });

  it('shows no sum for a partially loaded day', async () => {
    const ward = serveWard({ details: Array.from({ length: 4 }, (_, place) => aDetail(9 - place)) });
    ward.atATime = 3;
    await render({ at }, { user: aSupervisor() });
    const heading = await screen.findByText('4 líneas', { selector: 'td' });
    await userEvent.click(screen.getByRole('button', { name: /^Mostrar/ }));
    await waitFor(() => expect(heading).toHaveTextContent('4 líneas · $2,80'));
  });

  it('marks the line of a link to it, also beyond the first page', async () => {
    const ward = serveWard({ details: Array.from({ length: 5 }, (_, place) => aDetail(9 - place)) });
    ward.atATime = 3;
    await render({ at: `${at}?line=5` }, { user: aSupervisor() });
    await waitFor(() => expect(document.activeElement).toHaveAttribute('id', 'detail-5'));
    expect(document.activeElement).toHaveAttribute('data-looked', 'true');
    expect(screen.queryByText(/ya no está en esta hoja/)).toBeNull();
  });

  it('says that the line of a link is no longer on the sheet', async () => {
    serveWard({ details: [aDetail(1)] });
    await render({ at: `${at}?line=5` }, { user: aSupervisor() });
    expect(await screen.findByText(/^La línea que busca ya no está en esta hoja/)).toBeVisible();
  });

  it("shows short staff names, and areas other than the room's", async () => {
    serveWard({
      details: [
        aDetail(2, { area_id: 2, area: { id: 2, name: 'Medicina Interna' } }),
        aDetail(1, { area_id: 4, area: { id: 4, name: 'Quirófano' } }),
      ],
    });
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(rows()[0]).toContain('L. ParedesLucía Paredes');
    expect(rows()[0]).not.toContain('Medicina Interna');
    expect(rows()[1]).toContain('· Quirófano');
  });

  it("has one menu for a line's actions on touch screens", async () => {
    whereMatches('coarse');
    serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await screen.findByRole('button', { name: 'Más acciones: Gasa estéril · GR-1' }));
    expect(await screen.findByRole('menuitem', { name: 'Ver Gasa estéril · GR-1' })).toBeVisible();
    await userEvent.click(screen.getByRole('menuitem', { name: 'Borrar Gasa estéril · GR-1' }));
    const dialog = await screen.findByRole('dialog', { name: 'Desea Borrar el detalle de consumo?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
    await userEvent.click(screen.getByRole('button', { name: 'Más acciones: Gasa estéril · GR-1' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Editar Gasa estéril · GR-1' }));
    expect(await screen.findByRole('row', { name: 'Editar detalle de consumo' })).toBeInTheDocument();
  });

  it('remembers the row density of this device', async () => {
    serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    const choose = async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
      await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Filas cómodas' }));
    };
    await choose();
    const density = () => document.querySelector('[data-density]')?.getAttribute('data-density');
    expect(density()).toBe('comfortable');
    cleanup();
    await render({ at }, { user: aSupervisor() });
    await waitFor(() => expect(density()).toBe('comfortable'));
    await choose();
    expect(density()).toBe('compact');
  });
});

describe('editing a line', () => {
  async function edit() {
    await userEvent.click(await screen.findByRole('button', { name: 'Editar Gasa estéril · GR-1' }));
    await screen.findByRole('row', { name: 'Editar detalle de consumo' });
  }
  const editing = () => within(screen.getByRole('row', { name: 'Editar detalle de consumo' }));

  it('saves what is shown on Enter, with the version that was seen', async () => {
    const ward = serveWard({ details: [aDetail(1, { version: 3 })] });
    let sent: unknown;
    server.use(
      http.put('/api/consumption-details/1', async ({ request }) => {
        sent = [request.headers.get('If-Match'), await request.json()];
        ward.details = [aDetail(1, { version: 4, quantity: 3, total: 1.05 })];
        return HttpResponse.json(ward.details[0]);
      }),
    );
    await render({ at }, { user: aSupervisor() });
    await edit();
    expect(editing().getByLabelText('Cantidad')).toHaveFocus();
    await userEvent.keyboard('3');
    expect(editing().getByLabelText('Total')).toHaveValue('1,05');
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('Detalle de la hoja de consumo actualizado')).toBeVisible();
    expect(sent).toMatchObject(['"3"', { quantity: 3, total: 1.05, product_id: 1, staff_id: 7 }]);
    expect(rows()[0]).toMatch(/3Gasa estéril.*\$1,05/);
    expect(document.activeElement).toHaveAttribute('id', 'detail-1');
  });

  it('asks about a quantity of 0', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    const sent: unknown[] = [];
    server.use(
      http.put('/api/consumption-details/1', async ({ request }) => {
        sent.push(await request.json());
        ward.details = [aDetail(1, { version: 2, quantity: 0, total: 0 })];
        return HttpResponse.json(ward.details[0]);
      }),
    );
    await render({ at }, { user: aSupervisor() });
    await edit();
    await userEvent.keyboard('0{Enter}');
    await waitFor(() =>
      expect(editing().getByLabelText('Cantidad')).toHaveAccessibleDescription(/La cantidad es 0/),
    );
    expect(sent).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(sent).toMatchObject([{ quantity: 0 }]));
  });

  it('changes nothing on Escape', async () => {
    serveWard({ details: [aDetail(1)] });
    await render({ at }, { user: aSupervisor() });
    await edit();
    await userEvent.keyboard('9{Escape}');
    expect(rows()[0]).toMatch(/2Gasa estéril.*\$0,70/);
    expect(document.activeElement).toHaveAttribute('id', 'detail-1');
  });

  it('keeps typed values after a refusal', async () => {
    serveWard({ details: [aDetail(1)] });
    server.use(http.put('/api/consumption-details/1', () => refusal('total', 'Reduzca el total.')));
    await render({ at }, { user: aSupervisor() });
    await edit();
    await userEvent.keyboard('9{Enter}');
    await waitFor(() =>
      expect(editing().getByLabelText('Total')).toHaveAccessibleDescription('Reduzca el total.'),
    );
    expect(editing().getByLabelText('Cantidad')).toHaveValue('9');
  });

  it('reports that another user was first, and shows their version', async () => {
    const ward = serveWard({ details: [aDetail(1)] });
    server.use(
      http.put('/api/consumption-details/1', () => {
        ward.details = [aDetail(1, { version: 2, quantity: 8, total: 2.8 })];
        return outdated();
      }),
    );
    await render({ at }, { user: aSupervisor() });
    await edit();
    await userEvent.keyboard('9{Enter}');
    expect(await screen.findByText(/Otra persona cambió esta línea/)).toBeVisible();
    await waitFor(() => expect(rows()[0]).toMatch(/8Gasa estéril.*\$2,80/));
  });

  it('explains an empty sheet with a usual product', async () => {
    serveWard({ details: [] }).usual = [{ ...gauze, code: 'GA-01' }];
    await render({ at }, { user: aSupervisor() });
    const type = await screen.findByRole('region', { name: 'Escriba' });
    expect(screen.getByText('No se encontraron datos')).toBeVisible();
    expect(type).toHaveTextContent('3 gasa 3 Gasa estéril');
    expect(type).toHaveTextContent('1 su producto habitual 1: Gasa estéril');
    expect(screen.getByRole('region', { name: 'Escanee' })).toHaveTextContent('GA-01 Gasa estéril');
    expect(screen.getByRole('region', { name: 'Repita' })).toHaveTextContent('«Repetir de otro día»');
  });

  it('explains on an empty sheet only the ways in which the user has not recorded yet', async () => {
    const { id } = aSupervisor();
    noteWay(id, 'type');
    noteWay(id, 'type');
    noteWay(id + 1, 'repeat');
    serveWard({ details: [] });
    await render({ at }, { user: aSupervisor() });
    expect(await screen.findByRole('region', { name: 'Escanee' })).toBeVisible();
    expect(screen.getByRole('region', { name: 'Repita' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Escriba' })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Practicar' })).toBeVisible();
  });

  it('explains nothing on an empty sheet to a user who has recorded in each way', async () => {
    for (const way of ['scan', 'type', 'repeat'] as const) noteWay(aSupervisor().id, way);
    serveWard({ details: [] });
    await render({ at }, { user: aSupervisor() });
    expect(await screen.findByText('No se encontraron datos')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Practicar' })).not.toBeInTheDocument();
  });

  it('explains an empty sheet without a keyboard', async () => {
    whereMatches('coarse');
    serveWard({ details: [] });
    await render({ at }, { user: aSupervisor() });
    const type = await screen.findByRole('region', { name: 'Escriba' });
    expect(type).toHaveTextContent('3 gasa 3 gasa');
    expect(type).not.toHaveTextContent('habitual 1');
  });

  it('deletes only after confirmation', async () => {
    const { id } = aSupervisor();
    const now = new Date().toISOString();
    const ward = serveWard({ details: [aDetail(1, { version: 5, user_id: id, created_at: now })] });
    let ifMatch: string | null = null;
    server.use(
      http.delete('/api/consumption-details/1', ({ request }) => {
        ifMatch = request.headers.get('If-Match');
        ward.details = [];
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await render({ at }, { user: aSupervisor() });
    const remove = await screen.findByRole('button', { name: 'Borrar Gasa estéril · GR-1' });
    await userEvent.click(remove);
    const dialog = await screen.findByRole('dialog', { name: 'Desea Borrar el detalle de consumo?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
    expect(ifMatch).toBeNull();
    await userEvent.click(remove);
    await userEvent.click(await screen.findByRole('button', { name: 'Borrar' }));
    expect(await screen.findByText('No se encontraron datos')).toBeVisible();
    expect(ifMatch).toBe('"5"');
  });
});
