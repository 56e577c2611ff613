import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';

function keep(check: () => Response) {
  const sent: unknown[] = [];
  server.use(
    http.get('/api/areas/3', () => HttpResponse.json({ id: 3, name: 'Urgencias', code: null })),
    http.get('/api/areas', () => HttpResponse.json(aPage([{ id: 3, name: 'Urgencias', code: null }]))),
    http.get('/api/rooms', () => HttpResponse.json(aPage([]))),
    http.post('/api/rooms/ranges/check', () => check()),
    http.post('/api/rooms/ranges', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ created: ['201', '202'], existing: ['203'] }, { status: 201 });
    }),
  );
  return sent;
}

it('previews the rooms before creating them', async () => {
  const sent = keep(() => HttpResponse.json({ created: ['201', '202'], existing: ['203'] }));
  const { router } = await render({ at: '/rooms/several?area=3' }, { user: aSupervisor() });
  await userEvent.type(await screen.findByRole('textbox', { name: /Habitaciones/ }), '201–203');
  expect(await screen.findByText('Se crean 2')).toBeVisible();
  expect(screen.getByText('201, 202')).toBeVisible();
  expect(screen.getByText('Ya existe una, que queda como está')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Crear 2 habitaciones' }));
  expect(await screen.findByText('2 habitaciones creadas')).toBeVisible();
  expect(sent).toEqual([{ ranges: '201–203', area_id: 3, status: 1 }]);
  await waitFor(() => expect(router.state.location.pathname).toBe('/rooms'));
});

it('says at once what is wrong with a range', async () => {
  const message = 'Escriba «240–201» al revés: primero la habitación menor.';
  keep(() =>
    HttpResponse.json(
      { message: [message], errors: [{ field: 'ranges', code: 'room_range.reversed', message }] },
      { status: 422 },
    ),
  );
  await render({ at: '/rooms/several?area=3' }, { user: aSupervisor() });
  await userEvent.type(await screen.findByRole('textbox', { name: /Habitaciones/ }), '240–201');
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Crear varias' })).toBeVisible();
});
