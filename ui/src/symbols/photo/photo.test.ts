import { expect, test } from 'vitest';
import { GS } from '../scanDetector';
import { pixelsIn } from './decoded';
import { inPicture, type Quad, sizeOf, type View } from './geometry';
import { cut, type Grey, sharpened } from './grey';
import { countPacks, packsOf } from './heap';
import { joined, type Sighting } from './joined';
import { barsAround, findStripes, unreadBars } from './stripes';
import { tooFewPixels } from './tooFewPixels';
import { viewsOf } from './views';

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

/** Draw bars and twice as wide spaces around the centre of a picture. */
function bars(turn: number, high = 100, bar = 4): Grey {
  const data = new Uint8Array(600 * 600).fill(255);
  const [cosine, sine] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  for (let place = 0; place < data.length; place++) {
    const [x, y] = [(place % 600) - 300, Math.floor(place / 600) - 300];
    // Of four points of the pixel, those within a bar.
    const dark = [0.25, 0.75].flatMap((right) =>
      [0.25, 0.75].filter((down) => {
        const along = (x + right) * cosine + (y + down) * sine;
        const across = (y + down) * cosine - (x + right) * sine;
        return Math.abs(along) < 120 && Math.abs(across) < high / 2 && (along + 120) % (3 * bar) < bar;
      }),
    );
    data[place] = 255 - dark.length * 63;
  }
  return { data, width: 600, height: 600 };
}

const counts = (...pictures: Sighting[][]) =>
  countPacks(pictures.map((symbols) => packsOf(joined(symbols)))).map(({ pack, quantity }) => [
    pack.lot,
    quantity,
  ]);

test('a point of a turned and scaled part is found in the picture', () => {
  const view = { centre: { x: 300, y: 150 }, width: 400, height: 200, scale: 0.5, turn: 30 };
  expect(sizeOf(view)).toEqual({ width: 200, height: 100 });
  expect(inPicture({ x: 100, y: 50 }, view)).toEqual(view.centre);
  // Ten pixels to the right of the centre of what is read are twenty of the picture, along its turned edge.
  const right = inPicture({ x: 110, y: 50 }, view);
  expect(right.x).toBeCloseTo(300 + 20 * Math.cos(Math.PI / 6));
  expect(right.y).toBeCloseTo(150 + 20 * Math.sin(Math.PI / 6));
});

test('a picture is read as a whole, and a larger one in parts too', () => {
  expect(viewsOf(4000, 3000)).toHaveLength(1);
  const [whole, ...parts] = viewsOf(9000, 3000);
  expect(sizeOf(whole as View)).toEqual({ width: 4000, height: 1334 });
  const edges = parts.map(({ centre, width }) => [centre.x - width / 2, centre.x + width / 2]);
  expect(edges).toEqual([
    [0, 4000],
    [2500, 6500],
    [5000, 9000],
  ]);
});

test('bars are found at any angle, and stand upright in their part', () => {
  for (const turn of [0, 17, 45, 63, 90, 120, 160]) {
    const places = findStripes(bars(turn));
    expect(places).toHaveLength(1);
    const [{ centre, turn: found }] = places as [View];
    expect(Math.abs(centre.x - 300) + Math.abs(centre.y - 300)).toBeLessThan(40);
    expect(Math.abs(Math.sin(((found - turn) * Math.PI) / 180))).toBeLessThan(0.1);
  }
});

test('unread bars are found, not lines of text or an edge', () => {
  const seen = (picture: Grey) => findStripes(picture).filter((view) => unreadBars(cut(picture, view)));
  expect(seen(bars(30))).toHaveLength(1);
  expect(seen(bars(30, 26))).toHaveLength(0);
  expect(seen(bars(0, 100, 400))).toHaveLength(0);
});

test('what was read of bars is extended to all of their height', () => {
  const around = { topLeft: { x: 400, y: 290 }, topRight: { x: 200, y: 290 } };
  const read = { ...around, bottomRight: { x: 200, y: 293 }, bottomLeft: { x: 400, y: 293 } };
  const { topLeft, bottomRight } = barsAround(bars(0), read);
  expect([topLeft.x, bottomRight.x]).toEqual([200, 400]);
  expect([Math.round(topLeft.y / 10), Math.round(bottomRight.y / 10)]).toEqual([25, 35]);
});

test('edges become steeper, and even places stay', () => {
  const data = Uint8Array.from({ length: 400 }, (_, at) => (at % 20 < 10 ? 100 : 150));
  const { data: sharp } = sharpened({ data, width: 20, height: 20 });
  expect([5, 9, 10, 15].map((x) => sharp[200 + x])).toEqual([100, 70, 180, 150]);
});

test.each([
  [
    'a PNG file',
    [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 1, 0, 0, 0, 2, 0],
    131072,
  ],
  ['a JPEG file', [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 2, 0, 1, 0, 1, 0, 0, 0], 131072],
  ['a damaged JPEG file', [0xff, 0xd8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 11, 8, 2, 0, 1, 0, 1], null],
  ['another file', [1, 2, 3], null],
])('the head of %s contains its pixels', (_, bytes, pixels) => {
  expect(pixelsIn(new DataView(Uint8Array.from(bytes).buffer))).toBe(pixels);
});

test('symbols with few pixels for each module are too small', () => {
  const of = (...pixels: (number | null)[]) =>
    tooFewPixels(pixels.map((modulePixels) => ({ ...at(0, 0, WHOLE), modulePixels })));
  expect([of(), of(null), of(4, 4, 2), of(2, 2, 4)]).toEqual([false, false, false, true]);
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

test('equal linear codes below each other are two', () => {
  const ean = `]E0${GTIN.slice(1)}`;
  const code = (y: number): Sighting => ({ ...at(0, y, ean, 300), corners: wide(y) });
  expect(joined([code(0), code(70)])).toHaveLength(2);
  expect(joined([code(0), code(20)])).toHaveLength(1);
});

function wide(y: number): Quad {
  return [
    { x: 0, y },
    { x: 300, y },
    { x: 300, y: y + 50 },
    { x: 0, y: y + 50 },
  ];
}

test('other lots, expiry dates or GTINs are counted apart', () => {
  const other = WHOLE.replace('L-1', 'L-2');
  const later = WHOLE.replace('17280131', '17290131');
  const product = WHOLE.replace(GTIN, '07501031311316');
  const symbols = [WHOLE, other, later, product].map((text, place) => at(place * 1000, 0, text));
  expect(counts(symbols).map(([, quantity]) => quantity)).toEqual([1, 1, 1, 1]);
});

test('the order of symbols and pictures changes no count', () => {
  const ean = `]E0${GTIN.slice(1)}`;
  const symbols = [at(0, 0, ean), at(120, 0, WHOLE), at(400, 0, ean), at(520, 0, WHOLE), at(1500, 0, ean)];
  const sorted = (list: Sighting[]) => counts(list).sort();
  const expected = sorted(symbols);
  symbols.forEach((_, place) => {
    const turned = [...symbols.slice(place), ...symbols.slice(0, place)];
    expect(sorted(turned)).toEqual(expected);
    expect(sorted(turned.reverse())).toEqual(expected);
  });
});

test('an unknown text is counted by itself', () => {
  expect(
    countPacks([packsOf([at(0, 0, ']d1ABC-1'), at(300, 0, ']d1ABC-1'), at(600, 0, null)])]),
  ).toMatchObject([{ text: ']d1ABC-1', gtin: null, quantity: 2 }]);
});
