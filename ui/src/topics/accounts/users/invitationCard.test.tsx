import { readFileSync } from 'node:fs';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { encodeSymbol } from '@/shared/ui/symbol';
import { SECRET } from '@/test/canaries';
import { aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { InvitationCard } from './InvitationCard';

const program = new Uint8Array(readFileSync('node_modules/zxing-wasm/dist/writer/zxing_writer.wasm')).buffer;
const encode = (text: string) => encodeSymbol(text, 'QRCode', { wasmBinary: program });
const email = 'rosa@hospital.test';
const link = {
  url: `https://consumo.test/auth/reset-password?token=${SECRET}`,
  expires_at: '2026-11-24T10:30:00Z',
};

it('encodes a link as a QR code with a quiet zone', async () => {
  const { path, width, height } = await encode('https://consumo.test/auth/reset-password?token=abc');
  expect([width, height]).toEqual([41, 41]);
  // The finder pattern is in the corner, after the quiet zone.
  expect(path).toMatch(/^M4 4h1v1h-1zM5 4h1v1h-1z/);
});

it('prints a card with the code, for whom it is and its expiry', async () => {
  let asked: unknown;
  server.use(
    http.post('/api/auth/password-reset/account', async ({ request }) => {
      asked = await request.json();
      return HttpResponse.json({ email, name: 'Rosa Núñez', hospital: 'Hospital San José' });
    }),
  );
  const onPrint = vi.fn();
  await render(<InvitationCard link={link} email={email} onPrint={onPrint} encode={encode} />, {
    user: aSupervisor(),
  });
  expect(await screen.findByRole('img', { name: 'Código QR del enlace' })).toBeVisible();
  const card = document.querySelector('[data-printed-alone]');
  for (const fact of [
    'Hospital San José',
    'Rosa Núñez',
    email,
    'https://consumo.test',
    'Válida hasta el 24 nov 2026, 10:30',
  ])
    await waitFor(() => expect(card).toHaveTextContent(fact));
  expect(card).not.toHaveTextContent(SECRET);
  expect(asked).toEqual({ token: SECRET });
  window.print = vi.fn();
  await userEvent.click(screen.getByRole('button', { name: 'Imprimir tarjeta' }));
  expect(window.print).toHaveBeenCalledTimes(1);
  expect(onPrint).toHaveBeenCalledTimes(1);
});

it('shows the link without a code if the encoder cannot be loaded', async () => {
  server.use(
    http.post('/api/auth/password-reset/account', () =>
      HttpResponse.json({ email, name: null, hospital: null }),
    ),
  );
  const fails = () => Promise.reject(new Error('no network'));
  await render(<InvitationCard link={link} email={email} onPrint={() => {}} encode={fails} />, {
    user: aSupervisor(),
  });
  expect(await screen.findByRole('button', { name: 'Imprimir tarjeta' })).toBeDisabled();
});
