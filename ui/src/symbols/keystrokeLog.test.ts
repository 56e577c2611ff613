import { expect, it } from 'vitest';
import { KeystrokeLog, nameOf } from './keystrokeLog';
import { GS } from './scanDetector';

const held = { repeat: false, altKey: false, ctrlKey: false, metaKey: false, code: '' };

/** Type like a scanner: one character every 8 ms. */
function typed(log: KeystrokeLog, text: string, from = 100) {
  [...text].forEach((key, place) => {
    log.press({ ...held, key, timeStamp: from + place * 8 });
    log.insert(key, from + place * 8 + 1);
  });
}

it('logs each character once, with its delay', () => {
  const log = new KeystrokeLog();
  typed(log, '01A');
  expect(log.list).toEqual([
    { character: '0', after: null },
    { character: '1', after: 8 },
    { character: 'A', after: 8 },
  ]);
});

it.each<[string, Partial<KeyboardEvent>]>([
  ['an American keyboard', { key: ']', code: 'BracketRight' }],
  ['a Spanish keyboard, on which that key is another', { key: '+', code: 'BracketRight' }],
  ['a keyboard on which the bracket is elsewhere', { key: ']', code: 'Digit9' }],
])('takes Ctrl+] as the separator on %s, hidden from the browser', (_, pressed) => {
  const log = new KeystrokeLog();
  typed(log, 'L7');
  const taken = log.press({ ...held, key: '', ...pressed, ctrlKey: true, timeStamp: 120 });
  expect(taken).toBe(true);
  expect(log.text).toBe(`L7${GS}`);
});

const altNumber = (log: KeystrokeLog, digits: string) => {
  for (const digit of digits)
    log.press({ ...held, key: digit, code: `Numpad${digit}`, altKey: true, timeStamp: 130 });
  log.release({ ...held, key: 'Alt', code: 'AltLeft', timeStamp: 140 });
};

it.each(['029', '29', '0029'])('takes Alt+%s as one separator, inserted or not', (digits) => {
  for (const inserts of [false, true]) {
    const log = new KeystrokeLog();
    altNumber(log, digits);
    if (inserts) log.insert(GS, 141);
    typed(log, '21');
    expect(log.text).toBe(`${GS}21`);
  }
});

it('ignores other Alt codes', () => {
  const log = new KeystrokeLog();
  altNumber(log, '065');
  expect(log.text).toBe('');
});

it('logs pasted and composed text, but no shortcuts', () => {
  const log = new KeystrokeLog();
  log.press({ ...held, key: 'v', ctrlKey: true, timeStamp: 100 });
  log.insert(`10A${GS}2`, null);
  log.press({ ...held, key: 'Unidentified', timeStamp: 200 });
  log.insert('1', 200);
  // AltGr is Ctrl and Alt.
  log.press({ ...held, key: '@', ctrlKey: true, altKey: true, timeStamp: 210 });
  log.insert('@', 210);
  expect(log.text).toBe(`10A${GS}21@`);
  expect(log.list[0]?.after).toBeNull();
});

it.each([
  [GS, 'GS'],
  ['\t', 'TAB'],
  ['\x04', 'EOT'],
  ['\x1e', 'RS'],
  ['\x0f', '0x0f'],
  [' ', 'SP'],
  ['A', null],
])('names the invisible character %j: %s', (character, name) => {
  expect(nameOf(character)).toBe(name);
});
