import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { scan } from '@/test/keys';
import { aNurse } from '@/test/people';
import { answer, match } from '@/test/recorder';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const person = {
  ...{ id: 3, name: 'Ana', first_surname: 'Vega', second_surname: null, record_number: null },
  ...{ date_of_birth: null, sheet_id: null, sheets: [] },
};
const label = (kind: string, state = 'found', kit_id: number | null = null) => ({
  label: { kind, state, kit_id },
});

async function scanned(code: string, found: Parameters<typeof answer>[0]) {
  server.use(
    http.get('/api/areas', () => HttpResponse.json(aPage([]))),
    http.get('/api/products/lookup', () => HttpResponse.json(answer(found))),
    http.get('/api/products/:id', () => new HttpResponse(null, { status: 404 })),
    http.get('/api/patients/:id', () => new HttpResponse(null, { status: 404 })),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
  );
  const { router } = await render({ at: '/areas' }, { user: aNurse() });
  await screen.findByText('Áreas', { selector: 'h1, h2' });
  await scan(code);
  return router;
}

it.each([
  ['CNSR123456261', { matches: [match(2)], ...label('product') }, '/products/2'],
  ['CNSP12345674220', { people: [person], ...label('patient') }, '/patients/3'],
  ['CNSC1234560000074201', label('closing'), '/consumption-sheets/closed/paper'],
])('opens the page of the label %s', async (code, found, path) => {
  const router = await scanned(code, found);
  await waitFor(() => expect(router.state.location.pathname).toBe(path));
});

it.each([
  [label('kit', 'found', 4), 'Es la tarjeta de un kit: abra una hoja para registrarlo.'],
  [label('kit', 'missing'), 'Ese kit ya no existe.'],
  [label('patient', 'foreign'), 'La etiqueta es de otro hospital.'],
  [label('closing', 'foreign'), 'La etiqueta es de otro hospital.'],
])('says what a label is that opens no page', async (found, text) => {
  const router = await scanned('CNSK123456198', found);
  expect(await screen.findByText(text)).toBeVisible();
  expect(router.state.location.pathname).toBe('/areas');
});
