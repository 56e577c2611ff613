import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { at, gauze, glove, product, serveWard, whereMatches } from '@/test/ward';

/** The symbol in front of the camera. */
let held: string | null = null;
let track: {
  stop: () => void;
  getCapabilities: () => object;
  applyConstraints: (wanted: object) => Promise<void>;
  addEventListener: (what: string, run: () => void) => void;
};
let ended = () => {};
let ask: () => Promise<object>;

beforeEach(() => {
  held = null;
  whereMatches('(pointer: coarse)');
  track = {
    stop: vi.fn(),
    getCapabilities: () => ({ torch: true }),
    applyConstraints: vi.fn(async () => {}),
    addEventListener: (_, run) => {
      ended = run;
    },
  };
  ask = async () => ({ getTracks: () => [track], getVideoTracks: () => [track] });
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['data_matrix'];
      detect = async () => (held ? [{ rawValue: held, cornerPoints: [{ x: 1, y: 1 }] }] : []);
    },
  );
  Object.defineProperty(navigator, 'mediaDevices', {
    value: { getUserMedia: () => ask() },
    configurable: true,
  });
  // jsdom plays no videos.
  Object.defineProperties(HTMLVideoElement.prototype, {
    videoWidth: { get: () => 4, configurable: true },
    videoHeight: { get: () => 4, configurable: true },
    srcObject: { set: () => {}, configurable: true },
  });
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'mediaDevices');
  for (const name of ['videoWidth', 'videoHeight', 'srcObject'])
    Reflect.deleteProperty(HTMLVideoElement.prototype, name);
});

const button = () => screen.queryByRole('button', { name: 'Escanear con la cámara' });

async function atTheCamera() {
  const ward = serveWard();
  await render({ at }, { user: aNurse() });
  await product();
  await userEvent.click(button() as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Escanear con la cámara' }));
  return { ward, dialog };
}

it('stays open, records the former symbol, and stops when closed', async () => {
  const { ward, dialog } = await atTheCamera();
  held = '102371';
  expect(await dialog.findByText(`1 ${nameAndCode(gauze)}`)).toBeVisible();
  held = '102372';
  expect(await dialog.findByText(`1 ${nameAndCode(glove)}`)).toBeVisible();
  await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 1, quantity: 1 }]));
  expect(track.stop).not.toHaveBeenCalled();
  await userEvent.click(dialog.getByRole('button', { name: 'Listo' }));
  await waitFor(() => expect(track.stop).toHaveBeenCalled());
  expect(screen.getByText(glove.name)).toBeVisible();
  expect(ward.sent).toHaveLength(1);
});

it('closes if a scan raises a question', async () => {
  const { ward } = await atTheCamera();
  ward.symbols = {
    box: { matches: [{ product: gauze, system: 'gtin', units: 100, label: 'caja de 100' }] },
  };
  held = 'box';
  expect(await screen.findByText(/^caja de 100: ¿cuántas unidades se usaron\?/)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(track.stop).toHaveBeenCalled());
});

it('offers the torch if the camera has one', async () => {
  const { dialog } = await atTheCamera();
  const light = await dialog.findByRole('button', { name: 'Luz' });
  await userEvent.click(light);
  await waitFor(() => expect(light).toHaveAttribute('aria-pressed', 'true'));
  expect(track.applyConstraints).toHaveBeenCalledWith({ advanced: [{ torch: true }] });
});

it("explains the camera's error and retries", async () => {
  const working = ask;
  ask = () => Promise.reject(new DOMException('no', 'NotReadableError'));
  const { dialog } = await atTheCamera();
  expect(await dialog.findByText(/Otra aplicación usa la cámara/)).toBeVisible();
  ask = working;
  await userEvent.click(dialog.getByRole('button', { name: 'Reintentar' }));
  held = '102371';
  expect(await dialog.findByText(`1 ${nameAndCode(gauze)}`)).toBeVisible();
  expect(dialog.queryByRole('alert')).toBeNull();
  ended();
  expect(await dialog.findByText(/Otra aplicación usa la cámara/)).toBeVisible();
});

it('is offered only on touch screens with a camera API', async () => {
  vi.mocked(window.matchMedia).mockRestore();
  serveWard();
  await render({ at }, { user: aNurse() });
  await product();
  expect(button()).toBeNull();
});

it('changes to a photo of several packs', async () => {
  const { dialog } = await atTheCamera();
  await userEvent.click(dialog.getByRole('button', { name: 'Foto' }));
  expect(await screen.findByRole('form', { name: 'Foto' })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(track.stop).toHaveBeenCalled();
});
