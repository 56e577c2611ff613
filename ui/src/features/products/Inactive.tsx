import { StatusBadge } from '@/components/StatusBadge';
import { useText } from '@/i18n/useText';

/** Says that a product is not offered any more. */
export function Inactive() {
  const t = useText();
  return <StatusBadge is="inactive">{t('products.inactive')}</StatusBadge>;
}
