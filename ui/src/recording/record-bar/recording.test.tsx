import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { setRecordDelay } from '@/test/setRecordDelay';
import { aPage } from '@/test/sheets';
import { at, gauze, product, quantity, record, refusal, rows, serveWard } from '@/test/ward';
import { waysDone } from '../common/waysDone';

setRecordDelay(20);

const open = async () => within(await screen.findByRole('list', { name: 'Sin registrar' }));

describe('recording with the keyboard', () => {
  it('focuses quantity and product in turn, and shows the total', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '2');
    expect(await product()).toHaveFocus();
    expect(await product()).toHaveValue('');
    await waitFor(() => expect(quantity()).toHaveValue(''));
    await record('nitrilo m', '0,5');
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(rows()[0]).toContain('0,5Guante de nitrilo M GR-2 · par$0,09');
    expect(rows()[1]).toContain('2Gasa estéril GR-1 · par$0,70');
    expect(await screen.findByText('$0,79')).toBeVisible();
    expect(screen.getByText('Registrado: 0,5 Guante de nitrilo M')).toBeInTheDocument();
    expect(screen.getByText('Detalle de la hoja de consumo creado')).toBeVisible();
    expect(ward.sent).toMatchObject([
      { product_id: 1, quantity: 2, staff_id: 7 },
      { product_id: 2, quantity: 0.5, staff_id: 7 },
    ]);
    expect(ward.sent[0]?.key).not.toBe(ward.sent[1]?.key);
  });

  it('offers several matches, which the arrow keys choose', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), 'guante{Enter}');
    expect(await screen.findAllByRole('option')).toHaveLength(2);
    expect(await product()).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(await product()).toHaveValue('Guante de nitrilo G');
    expect(quantity()).toHaveFocus();
    await userEvent.keyboard('3');
    expect(screen.getByText('$0,54')).toBeVisible();
    expect(ward.sent).toEqual([]);
  });

  it('searches after typing has paused for 700 ms', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), 'gua');
    await delay(400);
    expect(ward.searched).not.toContain('gua');
    await waitFor(() => expect(ward.searched).toContain('gua'));
  });

  it('records one by default on Enter, or the typed quantity', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '');
    await record('nitrilo m', '2');
    await waitFor(() =>
      expect(ward.sent).toMatchObject([
        { product_id: 1, quantity: 1 },
        { product_id: 2, quantity: 2 },
      ]),
    );
    expect(waysDone(aSupervisor().id)).toEqual(['type']);
    await userEvent.type(await product(), 'gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveAttribute('placeholder', '1'));
    expect(quantity()).toHaveValue('');
    await userEvent.clear(await product());
    await waitFor(() => expect(quantity()).toHaveAttribute('placeholder', 'Cant.'));
  });

  it('records a quantity of 0 only after a second Enter', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '0');
    expect(quantity()).toHaveAccessibleDescription(
      'La cantidad es 0. Enter otra vez para registrarla de todos modos.',
    );
    expect(ward.sent).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ quantity: 0 }]));
  });

  it.each([
    ['12345', 'El máximo es 9.999,999.'],
    ['0,1234', 'Como máximo, 3 decimales.'],
    ['5{Backspace}', 'Este dato es obligatorio.'],
  ])('rejects %s as a quantity', async (typed, message) => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await record('gasa', typed);
    expect(quantity()).toHaveAccessibleDescription(message);
    expect(ward.sent).toEqual([]);
  });

  it('requires a product and focuses its field', async () => {
    serveWard();
    await render({ at }, { user: aSupervisor() });
    await product();
    await userEvent.type(quantity(), '2{Enter}');
    expect(await product()).toHaveAccessibleDescription('Elija un producto.');
    await waitFor(async () => expect(await product()).toHaveFocus());
  });

  it("offers the starts of the hospital's shifts as times of use", async () => {
    serveWard();
    server.use(
      http.get('/api/settings', () =>
        HttpResponse.json({ currency: 'USD', time_zone: 'UTC', shifts: ['07:30', '19:30'] }),
      ),
    );
    await render({ at }, { user: aSupervisor() });
    await product();
    await userEvent.click(screen.getByRole('button', { name: 'Cuándo se usó: ahora' }));
    const times = within(screen.getByLabelText('Cuándo se usó')).getAllByRole('option');
    const starts = times.map((one) => /\d\d:\d\d$/.exec(one.textContent ?? '')?.[0]).filter(Boolean);
    // Of today and yesterday, at most three.
    expect(starts.length).toBeGreaterThanOrEqual(2);
    expect(starts.length).toBeLessThanOrEqual(3);
    expect(new Set(starts)).toEqual(new Set(['07:30', '19:30']));
  });

  it('keeps staff and area for the next line', async () => {
    const ward = serveWard();
    const areas = [
      { id: 2, name: 'Medicina Interna' },
      { id: 4, name: 'Quirófano' },
      { id: 5, name: 'Urgencias' },
    ];
    server.use(
      http.get('/api/areas', ({ request }) => {
        const q = new URL(request.url).searchParams.get('q') ?? '';
        return HttpResponse.json(aPage(areas.filter(({ name }) => name.toLowerCase().startsWith(q))));
      }),
      http.get('/api/staff', () =>
        HttpResponse.json(
          aPage([{ id: 9, name: 'Verónica', first_surname: 'Aguilar', second_surname: null }]),
        ),
      ),
    );
    const { permissions } = aSupervisor();
    const user = aSupervisor({ permissions: [...permissions, 'details.record_for_any_staff'] });
    await render({ at }, { user });
    // The room's own area is the default.
    await userEvent.click(await screen.findByRole('button', { name: 'en Medicina Interna' }));
    const area = screen.getByRole('combobox', { name: 'Área' });
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent?.trim())).toEqual([
      'Seleccione una opción...',
      'Medicina Interna',
      'Quirófano',
      'Urgencias',
    ]);
    await userEvent.keyboard('dermatología{Enter}');
    expect(await screen.findAllByText('No se encontraron áreas...')).not.toEqual([]);
    await userEvent.clear(area);
    await userEvent.keyboard('urg{Enter}');
    expect(await screen.findByRole('button', { name: 'en Urgencias' })).toBeVisible();
    expect(await product()).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'como Lucía Paredes' }));
    await userEvent.keyboard('vero{Enter}');
    expect(await screen.findByRole('button', { name: 'como Verónica Aguilar' })).toBeVisible();
    expect(await product()).toHaveFocus();
    await record('gasa', '1');
    await record('gasa', '2');
    await waitFor(() => expect(ward.sent).toHaveLength(2));
    expect(ward.sent[1]).toMatchObject({ staff_id: 9, area_id: 5 });
    cleanup();
    await render({ at }, { user });
    expect(await screen.findByRole('button', { name: 'en Urgencias' })).toBeVisible();
    cleanup();
    await render({ at }, { user: aNurse() });
    expect(await screen.findByRole('button', { name: 'en Medicina Interna' })).toBeVisible();
  });

  it('keeps the product when Escape closes a choice, and clears it next', async () => {
    serveWard();
    const areas = [
      { id: 2, name: 'Medicina Interna' },
      { id: 5, name: 'Urgencias' },
    ];
    server.use(http.get('/api/areas', () => HttpResponse.json(aPage(areas))));
    await render({ at }, { user: aNurse() });
    await userEvent.type(await product(), 'gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveAttribute('placeholder', '1'));
    await userEvent.click(await screen.findByRole('button', { name: 'en Medicina Interna' }));
    await screen.findByRole('combobox', { name: 'Área' });
    await userEvent.keyboard('{Escape}');
    expect(await screen.findByRole('button', { name: 'en Medicina Interna' })).toBeVisible();
    expect(quantity()).toHaveAttribute('placeholder', '1');
    await userEvent.type(quantity(), '{Escape}');
    await waitFor(() => expect(quantity()).toHaveAttribute('placeholder', 'Cant.'));
  });

  it('closes the list with Escape, and clears the product next', async () => {
    const ward = serveWard();
    ward.usual = [gauze];
    await render({ at }, { user: aNurse() });
    await userEvent.type(await product(), 'gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveAttribute('placeholder', '1'));
    const field = await product();
    await userEvent.click(field);
    await waitFor(() => expect(field).toHaveAttribute('aria-expanded', 'true'));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(field).toHaveAttribute('aria-expanded', 'false'));
    expect(field).toHaveValue('Gasa estéril');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(field).toHaveValue(''));
  });

  it('leaves the time of use with Escape as it was', async () => {
    serveWard();
    await render({ at }, { user: aNurse() });
    await userEvent.click(await screen.findByRole('button', { name: 'Cuándo se usó: ahora' }));
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Cuándo se usó' }), 'other');
    fireEvent.change(await screen.findByLabelText('Otra hora…'), { target: { value: '2026-11-20T03:00' } });
    await userEvent.keyboard('{Escape}');
    expect(await screen.findByRole('button', { name: 'Cuándo se usó: ahora' })).toBeVisible();
    expect(await product()).toHaveFocus();
  });

  it('keeps staff and area if nothing is chosen', async () => {
    const ward = serveWard();
    const areas = [
      { id: 2, name: 'Medicina Interna' },
      { id: 5, name: 'Urgencias' },
    ];
    server.use(http.get('/api/areas', () => HttpResponse.json(aPage(areas))));
    await render({ at }, { user: aSupervisor() });
    await userEvent.click(await screen.findByRole('button', { name: 'en Medicina Interna' }));
    await userEvent.keyboard('urg');
    await userEvent.click(await product());
    expect(screen.queryByRole('combobox', { name: 'Área' })).toBeNull();
    await record('gasa', '1');
    await waitFor(() => expect(ward.sent).toMatchObject([{ area_id: 2 }]));
  });
});

describe('a quantity in the search text', () => {
  const offered = async () => (await screen.findAllByRole('option')).map(({ textContent }) => textContent);

  it('is taken with the product and recorded by the second Enter', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), '3 guante{Enter}');
    expect(await offered()).toEqual([
      '3 Guante de nitrilo M GR-2 · par · $0,18',
      '3 Guante de nitrilo G GR-3 · par · $0,18',
    ]);
    await userEvent.keyboard('{Enter}');
    expect(await product()).toHaveValue('Guante de nitrilo M');
    expect(quantity()).toHaveFocus();
    await waitFor(() => expect(quantity()).toHaveValue('3'));
    expect(ward.sent).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 3 }]));
  });

  it('is asked about if the separator is ambiguous', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), '1.500 x gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    expect(ward.sent).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: '1,5' }));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ quantity: 1.5 }]));
  });

  it('is left empty if the product has another unit', async () => {
    const ward = serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), '2 cajas gasa{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await waitFor(() => expect(quantity()).toHaveValue(''));
    expect(quantity()).toHaveAccessibleDescription('Se cuenta por par: escriba la cantidad.');
    await userEvent.keyboard('{Enter}');
    expect(ward.sent).toEqual([]);
  });

  it('does not apply to another product', async () => {
    serveWard();
    await render({ at }, { user: aSupervisor() });
    await userEvent.type(await product(), 'gasa x3{Enter}');
    await waitFor(() => expect(quantity()).toHaveValue('3'));
    await userEvent.clear(await product());
    await userEvent.type(await product(), 'nitrilo m{Enter}');
    await waitFor(async () => expect(await product()).toHaveValue('Guante de nitrilo M'));
    await waitFor(() => expect(quantity()).toHaveAttribute('placeholder', '1'));
    expect(quantity()).toHaveValue('');
  });
});

describe('a quantity far above the usual', () => {
  it('stays above the list until a person answers the question', async () => {
    const ward = serveWard();
    ward.refuse = ({ quantity, acknowledged }) =>
      quantity > 20 && !acknowledged?.includes('quantity.far_out')
        ? refusal('quantity', 'Es 21; lo habitual es 2. ¿Es correcto?', true, 'quantity.far_out')
        : undefined;
    await render({ at }, { user: aNurse() });
    await record('gasa', '21');
    expect(await screen.findByText('21 Gasa estéril · GR-1')).toBeVisible();
    expect((await open()).getByText('Es 21; lo habitual es 2. ¿Es correcto?')).toBeVisible();
    expect(await product()).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}');
    expect((await open()).getByRole('button', { name: 'Registrar de todos modos' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(ward.sent).toMatchObject([
        { quantity: 21, acknowledged: [] },
        { quantity: 21, acknowledged: ['quantity.far_out'] },
      ]),
    );
    await waitFor(() => expect(screen.queryByText('21 Gasa estéril · GR-1')).toBeNull());
  });
});
