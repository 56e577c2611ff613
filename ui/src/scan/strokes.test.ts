import { expect, it } from 'vitest';
import { GS } from './pace';
import { nameOf, Strokes } from './strokes';

const held = { repeat: false, altKey: false, ctrlKey: false, metaKey: false, code: '' };

/** What a scanner sends that types one character every 8 ms. */
function typed(strokes: Strokes, text: string, from = 100) {
  [...text].forEach((key, place) => {
    strokes.press({ ...held, key, timeStamp: from + place * 8 });
    strokes.insert(key, from + place * 8 + 1);
  });
}

it('keeps each character once, with the time since the one before', () => {
  const strokes = new Strokes();
  typed(strokes, '01A');
  expect(strokes.list).toEqual([
    { character: '0', after: null },
    { character: '1', after: 8 },
    { character: 'A', after: 8 },
  ]);
});

it.each<[string, Partial<KeyboardEvent>]>([
  ['an American keyboard', { key: ']', code: 'BracketRight' }],
  ['a Spanish keyboard, on which that key is another', { key: '+', code: 'BracketRight' }],
  ['a keyboard on which the bracket is elsewhere', { key: ']', code: 'Digit9' }],
])('takes Ctrl+] for the separator on %s, and leaves nothing of it to the browser', (_, pressed) => {
  const strokes = new Strokes();
  typed(strokes, 'L7');
  const taken = strokes.press({ ...held, key: '', ...pressed, ctrlKey: true, timeStamp: 120 });
  expect(taken).toBe(true);
  expect(strokes.text).toBe(`L7${GS}`);
});

const altNumber = (strokes: Strokes, digits: string) => {
  for (const digit of digits)
    strokes.press({ ...held, key: digit, code: `Numpad${digit}`, altKey: true, timeStamp: 130 });
  strokes.release({ ...held, key: 'Alt', code: 'AltLeft', timeStamp: 140 });
};

it.each(['029', '29', '0029'])(
  'takes Alt and %s for the separator, whether or not the browser inserts it',
  (digits) => {
    for (const inserts of [false, true]) {
      const strokes = new Strokes();
      altNumber(strokes, digits);
      if (inserts) strokes.insert(GS, 141);
      typed(strokes, '21');
      expect(strokes.text).toBe(`${GS}21`);
    }
  },
);

it('takes another number on the pad for nothing', () => {
  const strokes = new Strokes();
  altNumber(strokes, '065');
  expect(strokes.text).toBe('');
});

it('takes what is pasted or comes without keys, and no shortcut', () => {
  const strokes = new Strokes();
  strokes.press({ ...held, key: 'v', ctrlKey: true, timeStamp: 100 });
  strokes.insert(`10A${GS}2`, null);
  strokes.press({ ...held, key: 'Unidentified', timeStamp: 200 });
  strokes.insert('1', 200);
  // AltGr is Ctrl and Alt.
  strokes.press({ ...held, key: '@', ctrlKey: true, altKey: true, timeStamp: 210 });
  strokes.insert('@', 210);
  expect(strokes.text).toBe(`10A${GS}21@`);
  expect(strokes.list[0]?.after).toBeNull();
});

it.each([
  [GS, 'GS'],
  ['\t', 'TAB'],
  ['\x04', 'EOT'],
  ['\x1e', 'RS'],
  ['\x0f', '0x0f'],
  [' ', 'SP'],
  ['A', null],
])('names what cannot be seen: %j is %s', (character, name) => {
  expect(nameOf(character)).toBe(name);
});
