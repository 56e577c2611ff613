import { expect, it } from 'vitest';
import { BadgeListener, type HeardKey } from './badgeListener';

const held = { repeat: false, altKey: false, ctrlKey: false, metaKey: false };

/** Type the keys with this many milliseconds before each, and return what the last one meant. */
function type(keys: string[], every: number): HeardKey {
  const listener = new BadgeListener();
  let heard: HeardKey = { is: 'other' };
  keys.forEach((key, place) => {
    heard = listener.press({ ...held, key, timeStamp: 1000 + place * every });
  });
  return heard;
}

const badge = (text: string) => ({ is: 'badge', badge: text });
const other = { is: 'other' };

it.each([
  ['04A2B31C', 10, badge('04A2B31C')],
  ['04A2B31C', 120, badge('04A2B31C')],
  ['12345678', 10, badge('12345678')],
  ['12345678', 120, badge('12345678')],
  ['123456', 10, badge('123456')],
  // A PIN, and whatever else a person types.
  ['123456', 120, other],
  ['1234', 10, other],
  ['04A2B31C', 400, other],
])('reads %s at %d ms a key, ended with Enter', (text, every, expected) => {
  expect(type([...text, 'Enter'], every)).toEqual(expected);
});

it('knows a burst before its end, and ends it after a rest', () => {
  const listener = new BadgeListener();
  const heard = [...'98765432'].map(
    (key, place) => listener.press({ ...held, key, timeStamp: place * 10 }).is,
  );
  expect(heard).toEqual(['other', 'other', 'other', 'other', 'burst', 'burst', 'burst', 'burst']);
  expect(listener.rest()).toEqual(badge('98765432'));
  expect(listener.rest()).toEqual(other);
});

it.each([
  [10, badge('consumo-demo')],
  [120, other],
])('tells a badge at %d ms a key from a password', (every, expected) => {
  const listener = new BadgeListener();
  let heard: HeardKey = { is: 'other' };
  for (const [place, key] of [...'consumo-demo', 'Enter'].entries())
    heard = listener.press({ ...held, key, timeStamp: 1000 + place * every }, true);
  expect(heard).toEqual(expected);
});

it('takes Enter long after the keys for itself', () => {
  const listener = new BadgeListener();
  for (const [place, key] of [...'04A2B31C'].entries())
    listener.press({ ...held, key, timeStamp: place * 120 });
  expect(listener.press({ ...held, key: 'Enter', timeStamp: 5000 })).toEqual(other);
});
