import { expect, it } from 'vitest';
import { GS, ScanDetector } from './scanDetector';

const held = { repeat: false, altKey: false, ctrlKey: false, metaKey: false };

/** Return the kind of each character, typed at this pace in milliseconds. */
function pressed(detector: ScanDetector, characters: string, every: number, from = 1000) {
  return [...characters].map((key, place) =>
    detector.press({ ...held, key, timeStamp: from + place * every }),
  );
}

it.each([
  ['a scanner', '102371', 5, 'fttt ss'],
  ['a slow scanner', '102371', 34, 'fttt ss'],
  ['a code of five', '10237', 10, 'fttt s'],
  ['a code of four', '1023', 1, 'fttt'],
  ['a person', '102371', 35, 'fttt tt'],
  ['a slow typist', '102', 101, 'fff'],
  ['letters too', 'MC-0001', 8, 'fttt sss'],
])('recognizes %s by %s every %i ms', (_, characters, every, expected) => {
  const told = pressed(new ScanDetector(), characters, every).map(([initial]) => initial);
  expect(told.join('')).toBe(expected.replace(' ', ''));
});

it('starts over after a pause, without the text before it', () => {
  const detector = new ScanDetector();
  pressed(detector, '3', 0, 1000);
  pressed(detector, '102371', 10, 1101);
  expect(detector.text).toBe('102371');
});

it('stays a scan when the scanner slows down', () => {
  const detector = new ScanDetector();
  pressed(detector, '10237', 30, 1000);
  expect(detector.press({ ...held, key: '1', timeStamp: 1210 })).toBe('scanned');
});

it('ignores held keys and shortcuts', () => {
  const detector = new ScanDetector();
  for (let at = 0; at < 200; at += 20) {
    expect(detector.press({ ...held, key: '9', timeStamp: 1000 + at, repeat: at > 0 })).not.toBe('scanned');
    expect(detector.press({ ...held, key: 'z', timeStamp: 1000 + at, ctrlKey: true })).toBe('none');
    expect(detector.press({ ...held, key: 'Shift', timeStamp: 1000 + at })).toBe('none');
  }
  expect(detector.text).toBe('9');
});

it.each([
  ['Enter', 60, true],
  ['Tab', 10, true],
  ['Enter', 101, false],
  ['Escape', 10, false],
])('takes %s %i ms after the last character as the suffix: %s', (key, after, expected) => {
  const detector = new ScanDetector();
  pressed(detector, '102371', 10, 1000);
  expect(detector.isSuffix({ ...held, key, timeStamp: 1050 + after })).toBe(expected);
});

it('does not take a person’s Enter as a suffix', () => {
  const detector = new ScanDetector();
  pressed(detector, '12', 90);
  expect(detector.isSuffix({ ...held, key: 'Enter', timeStamp: 1091 })).toBe(false);
});

const ctrl = { ...held, key: ']', code: 'BracketRight', ctrlKey: true };
const alt = (digit: string) => ({ ...held, key: digit, code: `Numpad${digit}`, altKey: true });

it.each([
  ['Ctrl+]', [ctrl]],
  ['Ctrl+] of another layout', [{ ...ctrl, key: '+' }]],
  ['Alt+029', ['0', '2', '9'].map(alt)],
  ['Alt+29', ['2', '9'].map(alt)],
])('reads %s as the group separator', (_, strokes) => {
  const detector = new ScanDetector();
  pressed(detector, '10AB12', 10, 1000);
  let timeStamp = 1050;
  for (const key of strokes) {
    timeStamp += 30;
    detector.press({ ...key, timeStamp });
  }
  pressed(detector, '21S', 10, timeStamp + 10);
  expect(detector.text).toBe(`10AB12${GS}21S`);
  expect(detector.isScan).toBe(true);
});

it('recognizes the suffix of a code handled already', () => {
  const detector = new ScanDetector();
  pressed(detector, '102371', 10, 1000);
  detector.end();
  expect(detector.isSuffix({ ...held, key: 'Enter', timeStamp: 1110 })).toBe(true);
  expect(detector.isSuffix({ ...held, key: 'Enter', timeStamp: 1200 })).toBe(false);
});
