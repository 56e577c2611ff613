import type { RecallView } from '@/api/generated';
import type { Translate } from '@/i18n/messages';

/** Name a recall: `Catéter 20G · Lote L-77`. */
export const recallName = (t: Translate, { product, lot }: RecallView) =>
  `${product.name} · ${lot === null ? t('recalls.allLots') : t('recalls.ofLot', { lot })}`;
