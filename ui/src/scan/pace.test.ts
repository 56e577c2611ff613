import { expect, it } from 'vitest';
import { GS, Pace } from './pace';

const held = { repeat: false, altKey: false, ctrlKey: false, metaKey: false };

/** What each character is taken for, so many milliseconds after the one before. */
function pressed(pace: Pace, characters: string, every: number, from = 1000) {
  return [...characters].map((key, place) => pace.press({ ...held, key, timeStamp: from + place * every }));
}

it.each([
  ['a scanner', '102371', 5, 'fttt ss'],
  ['a slow scanner', '102371', 34, 'fttt ss'],
  ['a code of five', '10237', 10, 'fttt s'],
  ['a code of four', '1023', 1, 'fttt'],
  ['a person', '102371', 35, 'fttt tt'],
  ['somebody with time', '102', 101, 'fff'],
  ['letters too', 'MC-0001', 8, 'fttt sss'],
])('knows %s by %s every %i ms', (_, characters, every, expected) => {
  const told = pressed(new Pace(), characters, every).map(([initial]) => initial);
  expect(told.join('')).toBe(expected.replace(' ', ''));
});

it('begins anew after a pause, so that what was typed before is not part of the code', () => {
  const pace = new Pace();
  pressed(pace, '3', 0, 1000);
  pressed(pace, '102371', 10, 1101);
  expect(pace.text).toBe('102371');
});

it('keeps to it that it is a scanner when that falters', () => {
  const pace = new Pace();
  pressed(pace, '10237', 30, 1000);
  expect(pace.press({ ...held, key: '1', timeStamp: 1210 })).toBe('scanned');
});

it('takes for a scanner neither a key that is held down nor a shortcut', () => {
  const pace = new Pace();
  for (let at = 0; at < 200; at += 20) {
    expect(pace.press({ ...held, key: '9', timeStamp: 1000 + at, repeat: at > 0 })).not.toBe('scanned');
    expect(pace.press({ ...held, key: 'z', timeStamp: 1000 + at, ctrlKey: true })).toBe('none');
    expect(pace.press({ ...held, key: 'Shift', timeStamp: 1000 + at })).toBe('none');
  }
  expect(pace.text).toBe('9');
});

it.each([
  ['Enter', 60, true],
  ['Tab', 10, true],
  ['Enter', 101, false],
  ['Escape', 10, false],
])('takes %s %i ms after the last character for the end of the code: %s', (key, after, expected) => {
  const pace = new Pace();
  pressed(pace, '102371', 10, 1000);
  expect(pace.isSuffix({ ...held, key, timeStamp: 1050 + after })).toBe(expected);
});

it('knows the Enter of a person, after what a person typed, however quick', () => {
  const pace = new Pace();
  pressed(pace, '12', 90);
  expect(pace.isSuffix({ ...held, key: 'Enter', timeStamp: 1091 })).toBe(false);
});

const ctrl = { ...held, key: ']', code: 'BracketRight', ctrlKey: true };
const alt = (digit: string) => ({ ...held, key: digit, code: `Numpad${digit}`, altKey: true });

it.each([
  ['Ctrl+]', [ctrl]],
  ['Ctrl+] of another layout', [{ ...ctrl, key: '+' }]],
  ['Alt+029', ['0', '2', '9'].map(alt)],
  ['Alt+29', ['2', '9'].map(alt)],
])('reads %s as the separator that no key writes', (_, strokes) => {
  const pace = new Pace();
  pressed(pace, '10AB12', 10, 1000);
  let timeStamp = 1050;
  for (const stroke of strokes) {
    timeStamp += 30;
    pace.press({ ...stroke, timeStamp });
  }
  pressed(pace, '21S', 10, timeStamp + 10);
  expect(pace.text).toBe(`10AB12${GS}21S`);
  expect(pace.isScan).toBe(true);
});

it('knows the end of a code that was dealt with already', () => {
  const pace = new Pace();
  pressed(pace, '102371', 10, 1000);
  pace.end();
  expect(pace.isSuffix({ ...held, key: 'Enter', timeStamp: 1110 })).toBe(true);
  expect(pace.isSuffix({ ...held, key: 'Enter', timeStamp: 1200 })).toBe(false);
});
