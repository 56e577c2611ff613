import { ActionIcon } from '@mantine/core';
import { IconStar } from '@tabler/icons-react';
import type { ProductView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { nameAndCode } from '@/shared/records/nameAndCode';
import type { Pins } from './usePins';

interface Props {
  product: Pick<ProductView, 'id' | 'name' | 'code' | 'gtin'>;
  pins: Pins;
  className?: string;
  tabIndex?: number;
}

/** Pin or unpin a product; the star is filled while it is pinned. */
export function PinButton({ product, pins, ...rest }: Props) {
  const t = useText();
  const isPinned = pins.pinned.has(product.id);
  const name = t('details.pin', { product: nameAndCode(product) });
  return (
    <ActionIcon
      {...rest}
      aria-label={name}
      title={name}
      aria-pressed={isPinned}
      onClick={() => pins.toggle(product.id)}
    >
      <IconStar size={18} fill={isPinned ? 'currentColor' : 'none'} aria-hidden />
    </ActionIcon>
  );
}
