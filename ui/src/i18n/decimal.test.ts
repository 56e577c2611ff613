import { describe, expect, it } from 'vitest';
import { readDecimal, readings, writeDecimal } from './decimal';

describe('a number as people write it, in either language', () => {
  it.each([
    ['0,5', 0.5],
    ['0.5', 0.5],
    ['1234,5', 1234.5],
    ['1234.5', 1234.5],
    ['1.234,5', 1234.5],
    ['1,234.5', 1234.5],
    ['1.234.567', 1234567],
    ['1,234,567', 1234567],
    ['1.234.567,89', 1234567.89],
    ['0.500', 0.5],
    ['0,225', 0.225],
    ['1234.567', 1234.567],
    ['1.5000', 1.5],
    ['1 234,5', 1234.5],
    [' 12 ', 12],
    [',5', 0.5],
    ['7,', 7],
    ['007', 7],
    ['999999999999.99', 999999999999.99],
  ])('is %s for %d', (text, number) => {
    expect(readDecimal(text)).toBe(number);
    expect(readings(text)).toBeNull();
  });

  it.each([
    ['1.500', 1.5, 1500],
    ['1,500', 1.5, 1500],
    ['12.345', 12.345, 12345],
    [' 999,001 ', 999.001, 999001],
  ])('may be either of two for %s', (text, decimal, whole) => {
    expect(readDecimal(text)).toBe(text);
    expect(readings(text)).toEqual([decimal, whole]);
  });

  it.each([
    '-1',
    '-5',
    '1e3',
    '1e5',
    '2x',
    'dos',
    ',',
    '1,,5',
    '12.34,5',
    '1.23.4',
    '1,234.567,8',
    '½',
    'Infinity',
  ])('is none for %s, which stays as it is', (text) => {
    expect(readDecimal(text)).toBe(text);
    expect(readings(text)).toBeNull();
  });

  it.each(['', ' '])('is not there for "%s"', (text) => {
    expect(readDecimal(text)).toBeNull();
  });

  it('is written without thousands, to the last decimal', () => {
    expect(writeDecimal(1234567.125, 'es-EC')).toBe('1234567,125');
    expect(writeDecimal(1234567.125, 'en-US')).toBe('1234567.125');
  });
});
