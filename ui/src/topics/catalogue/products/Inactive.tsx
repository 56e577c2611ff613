import { useText } from '@/i18n/useText';
import { StatusBadge } from '@/shared/ui/StatusBadge';

/** Mark a product that is not offered any more. */
export function Inactive() {
  const t = useText();
  return <StatusBadge is="inactive">{t('products.inactive')}</StatusBadge>;
}
