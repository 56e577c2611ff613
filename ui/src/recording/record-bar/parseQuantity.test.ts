import { describe, expect, it } from 'vitest';
import { containsWord, isOtherUnit, parseQuantity, type QuantityInterpretation } from './parseQuantity';

/**
 * Format an interpretation for the table below.
 *
 * Examples are `3 × gasa`, `0.5 l × suero`, or the search text in quotes.
 */
function told({ words, quantity, unit, whole }: QuantityInterpretation) {
  if (quantity === undefined) return `"${words}"${whole ? ` with ${whole.join(' ')}` : ''}`;
  const asked = typeof quantity === 'string' ? '?' : '';
  return `${quantity}${asked}${unit ? ` ${unit}` : ''} × ${words}`;
}

const both = (quantity: string, words: string, text: string, whole: string) => [
  `${quantity} × ${words}`,
  `"${text}" with ${whole}`,
];

describe('interpretations of a typed text', () => {
  it.each<[string, string[]]>([
    // A number in front, which may also belong to a name.
    ['3 gasa', both('3', 'gasa', '3 gasa', '3')],
    ['3  gasa  estéril ', both('3', 'gasa estéril', '3 gasa estéril', '3')],
    ['12 guante nitrilo', both('12', 'guante nitrilo', '12 guante nitrilo', '12')],
    ['0,5 suero', both('0.5', 'suero', '0,5 suero', '0,5')],
    ['0.5 suero', both('0.5', 'suero', '0.5 suero', '0.5')],
    [',5 suero', both('0.5', 'suero', ',5 suero', ',5')],
    ['.25 venda', both('0.25', 'venda', '.25 venda', '.25')],
    ['3 vías', both('3', 'vías', '3 vías', '3')],
    ['2 MC-0001', both('2', 'MC-0001', '2 MC-0001', '2')],
    ['999999 gasa', both('999999', 'gasa', '999999 gasa', '999999')],
    ['3 gauze', both('3', 'gauze', '3 gauze', '3')],
    ['2.5 bandage', both('2.5', 'bandage', '2.5 bandage', '2.5')],
    ['1,25 saline', both('1.25', 'saline', '1,25 saline', '1,25')],
    // Ambiguous separators are asked about, in any language.
    ['1.500 gasa', both('1.500?', 'gasa', '1.500 gasa', '1.500')],
    ['1,500 gasa', both('1,500?', 'gasa', '1,500 gasa', '1,500')],
    ['12.345 gasa', both('12.345?', 'gasa', '12.345 gasa', '12.345')],
    ['0,225 suero', both('0.225', 'suero', '0,225 suero', '0,225')],
    ['1234,5 suero', both('1234.5', 'suero', '1234,5 suero', '1234,5')],
    ['1.500 x gasa', ['1.500? × gasa']],
    ['gasa x 1,500', ['1,500? × gasa']],
    // With a sign, it can only be a quantity.
    ['3x gasa', ['3 × gasa']],
    ['3 x gasa', ['3 × gasa']],
    ['3X gasa', ['3 × gasa']],
    ['3 × gasa', ['3 × gasa']],
    ['3× gasa', ['3 × gasa']],
    ['3*gasa', ['3 × gasa']],
    ['0,5 * suero', ['0.5 × suero']],
    ['3*102371', ['3 × 102371']],
    ['2x 7501234567893', ['2 × 7501234567893']],
    ['gasa x3', ['3 × gasa']],
    ['gasa x 3', ['3 × gasa']],
    ['gasa ×3', ['3 × gasa']],
    ['gasa*3', ['3 × gasa']],
    ['gasa * 0,5', ['0.5 × gasa']],
    ['gauze x2', ['2 × gauze']],
    ['102371*4', ['4 × 102371']],
    // With a unit.
    ['0,5 l suero', ['"0,5 l suero" with 0,5 l', '0.5 l × suero']],
    ['1.500 ml suero', ['"1.500 ml suero" with 1.500 ml', '1.5 ml × suero']],
    ['10 ml jeringa', ['"10 ml jeringa" with 10 ml', '10 ml × jeringa']],
    ['10ml jeringa', ['"10ml jeringa" with 10 ml', '10 ml × jeringa']],
    ['20 cc jeringa', ['20 ml × jeringa', '"20 cc jeringa" with 20 cc']],
    ['16 fr sonda', ['"16 fr sonda" with 16 fr']],
    ['20G catéter', ['"20G catéter" with 20 g', '20 g × catéter']],
    ['2 cajas guante', ['2 caja × guante', '"2 cajas guante" with 2 cajas']],
    ['3 pares guante', ['3 par × guante', '"3 pares guante" with 3 pares']],
    ['4 fco. suero', ['4 frasco × suero', '"4 fco. suero" with 4 fco']],
    ['5 u gasa', ['5 × gasa', '"5 u gasa" with 5 u']],
    ['2 unidades venda', ['2 × venda', '"2 unidades venda" with 2 unidades']],
    ['2 amp adrenalina', ['2 ampolla × adrenalina', '"2 amp adrenalina" with 2 amp']],
    // Sizes.
    ['10x10 gasa', ['"10x10 gasa"']],
    ['10 x 10 gasa', ['"10 x 10 gasa"']],
    ['gasa 10x10', ['"gasa 10x10"']],
    ['gasa 10 x 10', ['"gasa 10 x 10"', '10 × gasa 10']],
    ['jeringa 10 ml', ['"jeringa 10 ml"']],
    ['catéter 20g', ['"catéter 20g"']],
    // No quantity.
    ['gasa', ['"gasa"']],
    ['3', ['"3"']],
    ['102371', ['"102371"']],
    ['7501234567893', ['"7501234567893"']],
    ['5% dextrosa', ['"5% dextrosa"']],
    ['1/2 gasa', ['"1/2 gasa"']],
    ['-3 gasa', ['"-3 gasa"']],
    ['1234567 gasa', ['"1234567 gasa"']],
    ['1,2345 gasa', ['"1,2345 gasa"']],
    ['2 ml', ['"2 ml"']],
    ['caja de luz x', ['"caja de luz x"']],
    ['2 102371', ['"2 102371"']],
    ['', ['""']],
  ])('%s', (text, expected) => {
    expect(parseQuantity(text).map(told)).toEqual(expected);
  });
});

it.each([
  ['Llave de 3 vías', ['3'], true],
  ['Gasa 30 × 30 cm', ['3'], false],
  ['Gasa estéril 7.5 × 5 cm', ['7,5'], true],
  ['Gasa estéril 7.5 × 5 cm', ['5'], true],
  ['Solución salina 0.9 % 500 ml', ['9'], false],
  ['Jeringa desechable 10 ml', ['10', 'ml'], true],
  ['Jeringa desechable 10ml', ['10', 'ml'], true],
  ['Jeringa 10 u, 5 ml', ['10', 'ml'], false],
  ['Catéter intravenoso 20G', ['20', 'g'], true],
  ['Sonda 16 Fr.', ['16', 'fr'], true],
])('%s has %o as words of its own: %s', (name, whole, expected) => {
  expect(containsWord(name, whole)).toBe(expected);
});

it.each([
  ['l', 'frasco', true],
  ['frasco', 'Frascos', false],
  ['frasco', null, false],
  ['', 'pieza', false],
  [undefined, 'pieza', false],
  ['ml', 'cc', false],
  ['caja', 'par', true],
])('%s is another unit than %s: %s', (written, unit, expected) => {
  expect(isOtherUnit(written, unit)).toBe(expected);
});
