import { expect, it } from 'vitest';
import { isBarCode } from './codes';

it.each([
  ['010952000000001110L1', true],
  ['0109520000000011\x1d21S', true],
  [']C10109520000000011', true],
  [']d2010952000000001110L1', true],
  ['(01)09520000000011(10)L1', true],
  ['10L1{GS}21S', true],
  ['https://id.gs1.org/01/09520000000011/10/L1', true],
  ['9520000000011', true],
  ['MC-0001', false],
  ['102371', false],
  ['gasa estéril', false],
  ['9520000000011 9520000000028', false],
  ['', false],
])('says whether %s can only be a code: %s', (text, expected) => {
  expect(isBarCode(text)).toBe(expected);
});
