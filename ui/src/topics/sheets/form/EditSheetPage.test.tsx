import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { SheetView } from '@/api/generated';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage, aSheet } from '@/test/sheets';

/** Serve one sheet with version checks. */
function keep(sheet: SheetView) {
  const kept = { sheet, refused: 0, deletedWith: null as string | null };
  server.use(
    http.get('/api/consumption-sheets/1', () => HttpResponse.json(kept.sheet)),
    http.put('/api/consumption-sheets/1', async ({ request }) => {
      if (request.headers.get('If-Match') !== `"${kept.sheet.version}"`) {
        kept.refused++;
        return HttpResponse.json({ message: 'Otra persona cambió este registro.' }, { status: 412 });
      }
      const draft = (await request.json()) as Partial<SheetView>;
      kept.sheet = { ...kept.sheet, ...draft, version: kept.sheet.version + 1 };
      return HttpResponse.json(kept.sheet);
    }),
    http.delete('/api/consumption-sheets/1', ({ request }) => {
      kept.deletedWith = request.headers.get('If-Match');
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([kept.sheet]))),
    http.get('/api/patients/11', () => HttpResponse.json({ ...kept.sheet.patient, record_number: 'HC-104' })),
    http.get('/api/consumption-sheets/1/consumption-details', () => HttpResponse.json(aPage([]))),
    http.get('/api/consumption-sheets/1/closings', () => HttpResponse.json({ items: [] })),
    http.get('/api/areas', () => HttpResponse.json(aPage([]))),
    http.get('/api/rooms', () => HttpResponse.json(aPage([]))),
  );
  return kept;
}

const type = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};
const save = () => userEvent.click(screen.getByRole('button', { name: 'Guardar' }));

it('edits an open sheet without warning of the sheet itself', async () => {
  const kept = keep(aSheet({ version: 4 }));
  const { router } = await render({ at: '/consumption-sheets/1/edit' }, { user: aNurse() });
  await type('Médico', 'Dr. Ríos');
  expect(screen.getByRole('combobox', { name: /Paciente/ })).toHaveValue('María Quispe Mamani');
  expect(screen.queryByText(/ya tiene una hoja abierta/)).toBeNull();
  await save();
  expect(await screen.findByText('Hoja de consumo actualizada')).toBeVisible();
  expect(kept.sheet).toMatchObject({ doctor: 'Dr. Ríos', room_id: 5, admission_date: '2026-11-20' });
  await waitFor(() =>
    expect(router.state.location.pathname).toBe('/consumption-sheet-details/1/consumption-details'),
  );
});

it.each(['2026-11-20T14:30:00', '2026-11-20T23:59:59Z', '2026-11-20 00:00:00'])(
  'drops the time part of an admission date such as %s',
  async (admission_date) => {
    const kept = keep(aSheet({ version: 4, admission_date }));
    await render({ at: '/consumption-sheets/1/edit' }, { user: aNurse() });
    expect(await screen.findByRole('textbox', { name: 'Fecha de ingreso' })).toHaveValue('20/11/2026');
    await type('Médico', 'Dr. Ríos');
    await save();
    expect(await screen.findByText('Hoja de consumo actualizada')).toBeVisible();
    expect(kept.sheet.admission_date).toBe('2026-11-20');
  },
);

it('saves despite consumption recorded meanwhile', async () => {
  const kept = keep(aSheet({ version: 4 }));
  await render({ at: '/consumption-sheets/1/edit' }, { user: aNurse() });
  await type('Médico', 'Dr. Ríos');
  kept.sheet = { ...kept.sheet, version: 5, total: 99 };
  await save();
  expect(await screen.findByText('Hoja de consumo actualizada')).toBeVisible();
  expect(kept.sheet).toMatchObject({ doctor: 'Dr. Ríos', version: 6 });
});

it('reports a conflict, and merges without losing typed values', async () => {
  const kept = keep(aSheet({ version: 4 }));
  await render({ at: '/consumption-sheets/1/edit' }, { user: aNurse() });
  await type('Médico', 'Dr. Ríos');
  kept.sheet = { ...kept.sheet, version: 5, doctor: 'Dra. Vega', diagnosis: 'Peritonitis' };
  await save();
  expect(await screen.findByText(/Otra persona cambió esta hoja mientras/)).toBeVisible();
  expect(screen.getByLabelText('Médico')).toHaveValue('Dr. Ríos');

  await save(); // saving again must not overwrite changes that the user has not seen
  await waitFor(() => expect(kept.refused).toBe(2));

  await userEvent.click(screen.getByRole('button', { name: 'Cargar sus cambios' }));
  expect(screen.getByLabelText('Diagnóstico')).toHaveValue('Peritonitis');
  expect(screen.getByLabelText('Médico')).toHaveValue('Dr. Ríos');
  expect(screen.getByLabelText('Médico')).toHaveAccessibleDescription('Valor de la otra persona: Dra. Vega');
  await save();
  expect(await screen.findByText('Hoja de consumo actualizada')).toBeVisible();
  expect(kept.sheet).toMatchObject({ doctor: 'Dr. Ríos', diagnosis: 'Peritonitis', version: 6 });
});

it('redirects a closed sheet to its page', async () => {
  keep(aSheet({ closed: true, deleted_at: '2026-11-20T15:00:00Z' }));
  const { router } = await render({ at: '/consumption-sheets/1/edit' }, { user: aNurse() });
  expect(await screen.findByText('Esta hoja no tiene líneas.')).toBeVisible();
  expect(router.state.location.pathname).toBe('/consumption-sheets/closed/1');
});

it.each([
  ['offers', 0, 1],
  ['does not offer', 3, 0],
])('%s ward staff to delete an open sheet with %i lines', async (_, details, buttons) => {
  const consumptions = details ? [{ created_at: '2026-11-20T15:00:00Z', details }] : [];
  keep(aSheet({ version: 4, consumptions }));
  await render({ at: '/consumption-sheets/1/edit' }, { user: aNurse() });
  await screen.findByLabelText('Médico');
  expect(screen.queryAllByRole('button', { name: 'Eliminar hoja' })).toHaveLength(buttons);
});

it('is deleted permanently after confirmation', async () => {
  const kept = keep(
    aSheet({ version: 4, consumptions: [{ created_at: '2026-11-20T15:00:00Z', details: 3 }] }),
  );
  const { router } = await render({ at: '/consumption-sheets/1/edit' }, { user: aSupervisor() });
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar hoja' }));
  const question = await screen.findByRole('dialog', {
    name: 'Eliminar PERMANENTEMENTE la hoja de consumo?',
  });
  expect(question).toHaveTextContent('La hoja de María Quispe Mamani se elimina con sus 3 líneas.');
  await userEvent.click(within(question).getByRole('button', { name: 'Cancelar' }));
  expect(kept.deletedWith).toBeNull();
  await waitFor(() => expect(question).not.toBeInTheDocument());

  await userEvent.click(screen.getByRole('button', { name: 'Eliminar hoja' }));
  const again = await screen.findByRole('dialog');
  await userEvent.click(within(again).getByRole('button', { name: 'Eliminar hoja' }));
  expect(await screen.findByText('Hoja de consumo eliminada')).toBeVisible();
  expect(kept.deletedWith).toBe('"4"');
  await waitFor(() => expect(router.state.location.pathname).toBe('/consumption-sheets'));
});
