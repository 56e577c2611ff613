import { Badge } from '@mantine/core';
import '@mantine/core/styles/Badge.css';
import { useText } from '@/i18n/useText';

/** Says that a product is not offered any more. */
export function Inactive() {
  const t = useText();
  return (
    <Badge variant="light" color="gray" size="lg" tt="none" fw={550} miw="max-content">
      {t('products.inactive')}
    </Badge>
  );
}
