import { afterEach, expect, it, vi } from 'vitest';
import { cameraErrorOf, createReader, ScanDeduplicator } from './camera';
import { centredResult } from './centredResult';

afterEach(() => vi.unstubAllGlobals());

it('reads a held symbol once, and again after it was out of sight', () => {
  const deduplicator = new ScanDeduplicator();
  const see = (raw: string | null, ...times: number[]) => times.map((at) => deduplicator.isNew(raw, at));
  expect(see('A', 0, 80, 160)).toEqual([true, false, false]);
  see(null, 240, 320, 400, 480, 560);
  expect(see('A', 640)).toEqual([false]);
  see(null, 720, 1120, 1520, 1920, 2320, 2720);
  expect(see('A', 2800)).toEqual([true]);
  expect(see('B', 2880)).toEqual([true]);
});

it('reads a held symbol once if each frame takes seconds', () => {
  const deduplicator = new ScanDeduplicator();
  const frames = ['A', 'A', null, 'A', null, null, 'A'];
  const counted = frames.map((raw, index) => deduplicator.isNew(raw, index * 4000));
  expect(counted).toEqual([true, false, false, false, false, false, false]);
});

it('takes the symbol in the centre', () => {
  const around = (x: number, y: number) => [-10, 10].map((more) => ({ x: x + more, y: y + more }));
  const found = [around(30, 30), around(110, 90), around(180, 10)];
  expect(centredResult({ width: 200, height: 200 }, found, (one) => one)).toBe(found[1]);
  expect(centredResult({ width: 200, height: 200 }, [], () => [])).toBeUndefined();
});

it.each([
  ['NotAllowedError', 'refused'],
  ['SecurityError', 'refused'],
  ['NotFoundError', 'none'],
  ['OverconstrainedError', 'none'],
  ['NotReadableError', 'busy'],
  ['NotSupportedError', 'failed'],
])('maps the camera error %s to %s', (name, cameraError) => {
  expect(cameraErrorOf(new DOMException('no', name))).toBe(cameraError);
});

it('uses the browser’s reader if it supports Data Matrix', async () => {
  const asked: string[][] = [];
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['qr_code', 'aztec', 'data_matrix'];
      constructor({ formats }: { formats: string[] }) {
        asked.push(formats);
      }
      detect = async () => [{ rawValue: '\x1d01A', cornerPoints: [{ x: 1, y: 1 }] }];
    },
  );
  const read = await createReader();
  expect(asked).toEqual([['data_matrix', 'qr_code']]);
  expect(await read(document.createElement('canvas'))).toBe('\x1d01A');
});
