import type { CodeSystem } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import type { Translate } from '@/i18n/messages';

/** Labels of code systems. Most have the same name in every language. `code` is a scanned text of an unknown system. */
const words: Record<string, MessageId> = {
  supplier: 'codes.of.supplier',
  billing: 'codes.of.billing',
  code: 'codes.of.code',
};

/** Return the label of a code system. */
export const systemName = (t: Translate, system: string) => {
  const word = words[system];
  return word ? t(word) : system.toUpperCase();
};

/** The systems in the order of the selector. */
export const codeSystems: CodeSystem[] = [
  'gtin',
  'hibc',
  'supplier',
  'billing',
  'unspsc',
  'gmdn',
  'cum',
  'cnis',
];
