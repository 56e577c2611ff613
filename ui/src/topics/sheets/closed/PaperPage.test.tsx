import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aSheet } from '@/test/sheets';
import { refusal } from '@/test/ward';

const PAPER = 'CNSC123456000007420122818935193521755785191003086600927121139';
const PATH = '/consumption-sheets/closed/paper';

function checked(same: boolean) {
  const closing = {
    ...{ sheet: aSheet({ closed: true }), record_number: 'HC-7', date_of_birth: null, area: null },
    ...{ lines: 0, voided: 0, days: [], unlisted_items: [] },
  };
  return {
    kind: 'closing',
    sheet_id: 742,
    turn: 2,
    closed_at: '2026-05-03T18:00:00Z',
    same,
    closing,
    month: null,
  };
}

async function open(at: string, answer: () => Response) {
  const asked: (string | null)[] = [];
  server.use(
    http.get('/api/documents/paper', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('text'));
      return answer();
    }),
  );
  await render({ at }, { user: aNurse() });
  return asked;
}

/** Open the page with a scanned paper for a user who may read months. */
function openAt(check: object) {
  server.use(
    http.get('/api/documents/paper', () => HttpResponse.json(check)),
    http.get('/api/months/118', () => HttpResponse.error()),
  );
  return render({ at: `${PATH}?text=${PAPER.replace('CNSC', 'CNSD')}` }, { user: aSupervisor() });
}

it.each([
  [true, 'Es igual a la versión guardada'],
  [false, 'No es esta: el papel no coincide con lo guardado'],
])('says whether the scanned paper is the same: %s', async (same, text) => {
  const asked = await open(`${PATH}?text=${PAPER}`, () => HttpResponse.json(checked(same)));
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole('heading', { name: /^Versión 2 del / })).toBeVisible();
  expect(screen.getByText('HC-7')).toBeVisible();
  expect(asked).toEqual([PAPER]);
});

it('shows the refusal at the text, which stays', async () => {
  const asked = await open(PATH, () => refusal('text', 'El papel no es de este hospital.'));
  const field = await screen.findByLabelText('Texto junto al código del papel');
  fireEvent.change(field, { target: { value: PAPER } });
  await userEvent.click(screen.getByRole('button', { name: 'Comprobar' }));
  expect(await screen.findByText('El papel no es de este hospital.')).toBeVisible();
  expect(screen.getByLabelText('Texto junto al código del papel')).toHaveValue(PAPER);
  expect(asked).toEqual([PAPER]);
});

const ofMonth = (same: boolean) => ({
  ...{ kind: 'month', sheet_id: null, turn: 1, closed_at: '2026-11-02T09:14:00Z', same, closing: null },
  month: { id: 118, month: '2026-10', area: null, total: 38240 },
});

it("opens the month of a month's paper", async () => {
  const { router } = await openAt(ofMonth(true));
  await waitFor(() => expect(router.state.location.pathname).toBe('/reports/months/118'));
  expect(await screen.findByText('Es igual a la versión guardada')).toBeVisible();
});

it("warns of a month's paper that is not the same", async () => {
  const { router } = await openAt(ofMonth(false));
  expect(await screen.findByText('No es esta: el papel no coincide con lo guardado')).toBeVisible();
  const link = screen.getByRole('link', { name: 'Ver el cierre N.º 118, octubre de 2026' });
  expect(link).toHaveAttribute('href', '/reports/months/118');
  expect(router.state.location.pathname).toBe(PATH);
});
