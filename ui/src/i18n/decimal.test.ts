import { describe, expect, it } from 'vitest';
import { parseDecimal } from './decimal';

describe('a number as people write it', () => {
  it.each([
    ['0,5', 0.5, 0.5],
    ['1234,5', 1234.5, 1234.5],
    ['1234.5', 1234.5, 1234.5],
    ['1.234,5', 1234.5, 1234.5],
    ['1,234.5', 1234.5, 1234.5],
    ['1.234.567', 1234567, 1234567],
    ['1.234.567,89', 1234567.89, 1234567.89],
    ['1.234', 1234, 1.234],
    ['1,234', 1.234, 1234],
    ['0.500', 0.5, 0.5],
    ['0,500', 0.5, 0.5],
    ['1 234,5', 1234.5, 1234.5],
    [',5', 0.5, 0.5],
    ['7,', 7, 7],
    ['12', 12, 12],
    ['999999999999.99', 999999999999.99, 999999999999.99],
  ])('%s is %d in Spanish and %d in English', (text, spanish, english) => {
    expect(parseDecimal(text, 'es-EC')).toBe(spanish);
    expect(parseDecimal(text, 'en-US')).toBe(english);
  });

  it.each(['', ' ', ',', '-1', '1e5', 'dos', '1,,5', '12.34,5', '1.23.4', 'Infinity'])(
    '"%s" is none',
    (text) => {
      expect(parseDecimal(text, 'es-EC')).toBeNull();
      expect(parseDecimal(text, 'en-US')).toBeNull();
    },
  );
});
