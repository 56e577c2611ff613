import { useReadUsualQuantityQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

/** More than this is asked about where nothing is known of the product, or not yet. */
const MANY = 1000;

/** What is asked about a quantity that is far above what is usual of the product; null when it is not. */
export function useQuantityWarning(productId: number | null) {
  const t = useText();
  const format = useFormat();
  const { currentData } = useReadUsualQuantityQuery(
    { productId: productId ?? 0 },
    { skip: productId === null },
  );
  const { usual_quantity: usual = null, far_out_above: most = null } = currentData ?? {};
  return (quantity: number) => {
    if (quantity <= (most ?? MANY)) return null;
    const told = format.quantity(quantity);
    return usual && most
      ? t('details.quantityFarOut', { quantity: told, usual: format.quantity(usual) })
      : t('details.quantityIsLarge', { quantity: told });
  };
}
