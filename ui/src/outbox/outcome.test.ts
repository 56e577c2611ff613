import { expect, it } from 'vitest';
import { outcomeOf, type SendOutcome } from './outcome';

const refusal = (...codes: string[]) => ({
  status: 422,
  data: { message: codes, errors: codes.map((code) => ({ field: null, code, message: code })) },
});

const cases: [string, unknown, SendOutcome][] = [
  ['no answer', { status: 'FETCH_ERROR' }, { becomes: 'waits' }],
  ['no answer in time', { status: 'TIMEOUT_ERROR' }, { becomes: 'waits' }],
  ...[401, 408, 429, 500, 502, 503, 504, 507].map((status): [string, unknown, SendOutcome] => [
    `${status}`,
    { status },
    { becomes: 'waits' },
  ]),
  ['409', { status: 409 }, { becomes: 'waits', for: 1000 }],
  [
    'a page in the place of an answer',
    { status: 'PARSING_ERROR', originalStatus: 502 },
    { becomes: 'waits' },
  ],
  ['a closed sheet', refusal('sheet.closed'), { becomes: 'isLate' }],
  [
    'a closed sheet, and something else',
    refusal('quantity.too_large', 'sheet.closed'),
    { becomes: 'isLate' },
  ],
  ['too long ago', refusal('moment.too_long_ago'), { becomes: 'isLate' }],
  ['recorded before', refusal('late_entry.entered'), { becomes: 'isThere' }],
  ['open again', refusal('sheet.not_closed'), { becomes: 'isOpen' }],
];

it.each(cases)('%s', (_, error, expected) => {
  expect(outcomeOf(error)).toEqual(expected);
});

it.each(['session_locked', 'second_factor_required'])('a refusal with %s waits', (code) => {
  expect(outcomeOf({ status: 403, data: { code, message: 'no' } })).toEqual({ becomes: 'waits' });
});

it.each([403, 404, 400, 413])('%i is a refusal with its message', (status) => {
  expect(outcomeOf({ status, data: { message: 'No.' } })).toEqual({
    becomes: 'refused',
    messages: [{ field: null, code: null, text: 'No.' }],
  });
});

it('returns every message of a refusal', () => {
  expect(outcomeOf(refusal('lot.expired', 'x'))).toMatchObject({
    becomes: 'refused',
    messages: [{ code: 'lot.expired' }, { code: 'x' }],
  });
});
