import { State } from '@/components/State';
import { useText } from '@/i18n/useText';

/** Says that a product is not offered any more. */
export function Inactive() {
  const t = useText();
  return <State is="inactive">{t('products.inactive')}</State>;
}
