import type { RecallView } from '@/api/generated';
import type { Translate } from '@/i18n/messages';
import { nameAndCode } from '@/shared/records/nameAndCode';

/** Name a recall: `Catéter 20G · Lote L-77`. */
export const recallName = (t: Translate, { product, lot }: RecallView) =>
  `${nameAndCode(product)} · ${lot === null ? t('recalls.allLots') : t('recalls.ofLot', { lot })}`;
