import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { PatientView } from '@/api/generated';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

const unknown: PatientView = {
  id: 7,
  name: '',
  first_surname: 'Sin identificar 3 · hombre · ~40 años',
  second_surname: null,
  date_of_birth: null,
  active: 1,
  record_number: null,
  open_sheets: 1,
  merged_into: null,
  unidentified: true,
};
const { unidentified: _, ...known } = {
  ...unknown,
  id: 8,
  name: 'Luz',
  first_surname: 'Soto',
  record_number: 'HC-8',
  open_sheets: 0,
};

function keep(answer: (draft: Record<string, unknown>) => Response) {
  const sent: Record<string, unknown>[] = [];
  server.use(
    http.get('/api/patients/7', () => HttpResponse.json(unknown)),
    http.get('/api/patients/8', () => HttpResponse.json(known)),
    http.get('/api/patients', () => HttpResponse.json(aPage([unknown, known]))),
    http.get('/api/consumption-sheets', () => HttpResponse.json(aPage([]))),
    http.post('/api/patients/7/identify', async ({ request }) => {
      const draft = (await request.json()) as Record<string, unknown>;
      sent.push(draft);
      return answer(draft);
    }),
  );
  return sent;
}

it('marks an unidentified patient, and leads to identifying them', async () => {
  keep(() => HttpResponse.json(known));
  await render({ at: '/patients/7' }, { user: aNurse() });
  expect(await screen.findByText('Sin identificar')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Identificar' })).toHaveAttribute('href', '/patients/7/identify');
});

it('gives the record a name', async () => {
  const sent = keep((draft) => HttpResponse.json({ ...unknown, ...draft, unidentified: undefined }));
  const { router } = await render({ at: '/patients/7/identify' }, { user: aNurse() });
  await userEvent.type(await screen.findByLabelText(/^Nombre/), 'Eva');
  await userEvent.type(screen.getByLabelText(/^Primer apellido/), 'Ríos');
  await userEvent.click(screen.getByRole('button', { name: 'Identificar' }));
  expect(await screen.findByText('Paciente identificado')).toBeVisible();
  expect(sent).toEqual([expect.objectContaining({ name: 'Eva', first_surname: 'Ríos', record_number: '' })]);
  expect(sent[0]).not.toHaveProperty('active');
  await waitFor(() => expect(router.state.location.pathname).toBe('/patients/7'));
});

it('offers only known patients, and moves the sheet to one', async () => {
  const sent = keep(() => HttpResponse.json(known));
  const { router } = await render({ at: '/patients/7/identify' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Ya está registrado' }));
  await userEvent.click(screen.getByRole('combobox', { name: /Paciente/ }));
  await userEvent.click(await screen.findByRole('option', { name: /Luz Soto/ }));
  expect(screen.queryByRole('option', { name: /Sin identificar/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Identificar' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/patients/8'));
  expect(sent).toEqual([{ into_id: 8 }]);
});

it('shows at the field why the sheet cannot move', async () => {
  const message = 'Ese paciente ya tiene una hoja abierta en «101»: ciérrela o mueva sus líneas antes.';
  keep(() =>
    HttpResponse.json(
      { message: [message], errors: [{ field: 'into_id', code: 'patient.has_open_sheet', message }] },
      { status: 422 },
    ),
  );
  await render({ at: '/patients/7/identify' }, { user: aNurse() });
  await userEvent.click(await screen.findByRole('button', { name: 'Ya está registrado' }));
  await userEvent.click(screen.getByRole('combobox', { name: /Paciente/ }));
  await userEvent.click(await screen.findByRole('option', { name: /Luz Soto/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Identificar' }));
  expect((await screen.findAllByText(message))[0]).toBeVisible();
});
