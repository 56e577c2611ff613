import type { CodeSystem } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import type { Translate } from '@/i18n/messages';

/** Most systems have one name everywhere. `code` is a scanned text that is of none that is known. */
const words: Record<string, MessageId> = {
  supplier: 'codes.of.supplier',
  billing: 'codes.of.billing',
  code: 'codes.of.code',
};

/** What a system of codes is called. */
export const systemName = (t: Translate, system: string) => {
  const word = words[system];
  return word ? t(word) : system.toUpperCase();
};

/** In the order in which they are offered. */
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
