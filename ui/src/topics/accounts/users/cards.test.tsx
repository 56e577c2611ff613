import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { Cards } from './CardsPage';

const link = (user_id: number) => ({
  user_id,
  email: `u${user_id}@hospital.test`,
  name: user_id % 2 ? `Ana ${user_id}` : null,
  url: `http://localhost/auth/reset-password?token=t${user_id}`,
  expires_at: '2026-11-29T12:00:00Z',
});

it('creates the links of all users in steps, and a card for each', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post('/api/users/imported-links', async ({ request }) => {
      const draft = (await request.json()) as { after_id?: number };
      sent.push(draft);
      const first = (draft.after_id ?? 0) + 1;
      const count = draft.after_id ? 3 : 200;
      return HttpResponse.json(
        { items: Array.from({ length: count }, (_, at) => link(first + at)) },
        { status: 201 },
      );
    }),
    http.post('/api/auth/password-reset/account', () =>
      HttpResponse.json({ email: 'x', name: null, hospital: 'Hospital Central' }),
    ),
  );
  const encode = vi.fn(async () => ({ width: 3, height: 3, path: 'M0 0h1v1h-1z' }));
  await render(<Cards importId={7} encode={encode} />, { user: aSupervisor() });
  await userEvent.click(await screen.findByRole('button', { name: 'Crear tarjetas' }));
  expect(await screen.findByText('203 tarjetas listas, en 26 páginas.')).toBeVisible();
  expect(sent).toEqual([{ import_id: 7 }, { import_id: 7, after_id: 200 }]);
  expect(encode).toHaveBeenCalledTimes(203);
  expect(document.querySelectorAll('[data-printed-alone] > *')).toHaveLength(203);
  expect(await screen.findAllByText('Hospital Central')).toHaveLength(203);
});
