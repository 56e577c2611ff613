import { expect, it } from 'vitest';
import type { KitView, ProductView } from '@/api/generated';
import { aProduct } from '@/test/ward';
import type { Suggestion } from './suggestionOrder';
import { keepPlaces, orderSuggestions } from './suggestionOrder';

const of = (product: ProductView): Suggestion => ({ id: product.id, product });
const aKit = (id: number, name: string): Suggestion => ({
  id: 1000 + id,
  product: null,
  kit: { id, name, lines: [] } as unknown as KitView,
});

const radiopaque = aProduct(1, 'Gasa con trama radiopaca', 1);
const sterile = aProduct(2, 'Gasa estéril 10 × 10', 1);
const large = aProduct(3, 'Gasa estéril 30 × 30', 1);
const ribbon = aProduct(4, 'Cinta para gasa', 1);
const adapter = aProduct(5, 'HC ADAPTER VIAL', 1);
const line = aKit(1, 'Vía periférica');
const second = aKit(2, 'Segunda vía');
const coded = { ...aProduct(6, 'Venda elástica', 1), code: 'GASA' };
const partly = { ...aProduct(7, 'Apósito', 1), code: 'GASA-7' };
const supplied = { ...aProduct(8, 'Sutura 30', 1), code: 'SU-1' };

it.each<[string, Suggestion[], number[], Suggestion[]]>([
  ['gasa', [of(radiopaque), of(sterile), of(ribbon)], [], [of(radiopaque), of(sterile), of(ribbon)]],
  ['gasa', [of(radiopaque), of(sterile), of(ribbon)], [2], [of(sterile), of(radiopaque), of(ribbon)]],
  ['gasa', [of(ribbon), of(radiopaque)], [4], [of(ribbon), of(radiopaque)]],
  ['gasa', [of(sterile), of(large)], [3, 2], [of(large), of(sterile)]],
  ['Gasa', [of(ribbon), of(sterile), of(coded)], [2], [of(coded), of(sterile), of(ribbon)]],
  ['gasa', [of(partly), of(ribbon)], [7], [of(ribbon), of(partly)]],
  ['prov-77', [of(ribbon), of(supplied)], [4], [of(ribbon), of(supplied)]],
  ['via', [of(adapter), second, line], [5], [line, of(adapter), second]],
  ['via', [of(adapter), second, line], [], [line, second, of(adapter)]],
])('"%s" offers the likeliest first', (words, found, usual, ordered) => {
  expect(orderSuggestions(found, words, usual)).toEqual(ordered);
});

it('keeps displayed items in place when the answer arrives', () => {
  const { price: _, ...withoutPrice } = sterile;
  const shown = [of(withoutPrice), of(ribbon)];
  expect(keepPlaces(shown, [of(radiopaque), of(sterile)])).toEqual([of(sterile), of(ribbon), of(radiopaque)]);
});
