import { expect, test } from 'vitest';
import { GS } from '../scanDetector';
import { inPicture, type Quad, sizeOf } from './geometry';
import { countPacks, packsOf } from './heap';
import { joined, type Sighting } from './joined';
import { passesOf } from './passes';

const GTIN = '07501031311309';
const WHOLE = `]d201${GTIN}17280131${'10'}L-1`;

function at(x: number, y: number, text: string | null, side = 100): Sighting {
  const corners: Quad = [
    { x, y },
    { x: x + side, y },
    { x: x + side, y: y + side },
    { x, y: y + side },
  ];
  return { text, corners, modulePixels: 4, isLinear: false };
}

const counts = (...pictures: Sighting[][]) =>
  countPacks(pictures.map((symbols) => packsOf(joined(symbols)))).map(({ pack, quantity }) => [
    pack.lot,
    quantity,
  ]);

test('a point of a turned and scaled part is found in the picture', () => {
  const view = { x: 100, y: 50, width: 400, height: 200, scale: 0.5, turn: 30 };
  const size = sizeOf(view);
  const centre = inPicture({ x: size.width / 2, y: size.height / 2 }, view);
  expect(centre).toEqual({ x: 300, y: 150 });
  // Ten pixels to the right of the centre of what is read are twenty of the picture, along its turned axis.
  const right = inPicture({ x: size.width / 2 + 10, y: size.height / 2 }, view);
  expect(right.x).toBeCloseTo(300 + 20 * Math.cos(Math.PI / 6));
  expect(right.y).toBeCloseTo(150 - 20 * Math.sin(Math.PI / 6));
});

test('tiles cover the picture and overlap', () => {
  const tiles = [...passesOf(4000, 3000)].filter(({ scale, turn, width }) => scale === 1 && !turn && width < 4000);
  for (const [length, from, size] of [
    [4000, 'x', 'width'],
    [3000, 'y', 'height'],
  ] as const) {
    const starts = [...new Set(tiles.map((tile) => tile[from]))].sort((a, b) => a - b);
    expect(starts[0]).toBe(0);
    for (const [place, start] of starts.slice(1).entries())
      expect(start).toBeLessThanOrEqual((starts[place] as number) + 1600 - 400);
    expect(Math.max(...tiles.map((tile) => tile[from] + tile[size]))).toBe(length);
  }
});

test('a symbol that several passes read is one', () => {
  expect(counts([at(0, 0, WHOLE), at(4, 3, WHOLE), at(2, 1, null)])).toEqual([['L-1', 1]]);
});

test('equal symbols in two places are two', () => {
  expect(counts([at(0, 0, WHOLE), at(180, 0, WHOLE)])).toEqual([['L-1', 2]]);
});

test('a symbol that no pass read stays as unread', () => {
  const symbols = joined([at(0, 0, WHOLE), at(300, 0, null), at(302, 2, null)]);
  expect(symbols.filter(({ text }) => text === null)).toHaveLength(1);
});

test('the two symbols of a pack are one', () => {
  expect(counts([at(0, 0, `]E0${GTIN.slice(1)}`), at(150, 0, WHOLE)])).toEqual([['L-1', 1]]);
  expect(counts([at(0, 0, `]C101${GTIN}`), at(150, 0, ']C1' + '10L-2')])).toEqual([['L-2', 1]]);
});

test('neighbours of the same product keep their own symbols', () => {
  const ean = `]E0${GTIN.slice(1)}`;
  const packs = [at(0, 0, ean), at(120, 0, WHOLE), at(400, 0, ean), at(520, 0, WHOLE)];
  expect(counts(packs)).toEqual([['L-1', 2]]);
  // The third pack shows only its EAN, far from the others.
  expect(counts([...packs, at(1500, 0, ean)])).toEqual([
    ['L-1', 2],
    [null, 1],
  ]);
});

test('a serial number is one pack, across pictures too', () => {
  const unit = `]d201${GTIN}10L-1${GS}21S-9`;
  expect(counts([at(0, 0, unit), at(400, 0, unit)], [at(0, 0, unit)])).toEqual([['L-1', 1]]);
});

test('equal packs in two pictures are asked about', () => {
  expect(counts([at(0, 0, WHOLE)], [at(0, 0, WHOLE), at(300, 0, WHOLE)])).toEqual([['L-1', null]]);
});
