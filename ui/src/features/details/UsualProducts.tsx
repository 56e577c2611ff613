import { Skeleton, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import type { ProductView } from '@/api/generated';
import { ClampedText } from '@/components/ClampedText';
import { useText } from '@/i18n/useText';
import classes from './UsualProducts.module.css';

interface Props {
  /** Undefined while they load. */
  products: ProductView[] | undefined;
  onChoose: (product: ProductView) => void;
}

/**
 * The products that are likely to come next, to be touched. One stop for Tab, walked with the arrows; at the keyboard
 * their numbers typed into the search do the same.
 */
export function UsualProducts({ products, onChoose }: Props) {
  const t = useText();
  const list = useRef<HTMLDivElement>(null);

  function walk(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const next = step && buttons[buttons.indexOf(event.target as HTMLButtonElement) + step];
    if (!next) return;
    event.preventDefault();
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  }

  if (!products) return <Skeleton height="9rem" />;
  if (products.length === 0) return <p className={classes.none}>{t('details.noUsual')}</p>;
  return (
    <div
      ref={list}
      className={classes.list}
      role="toolbar"
      aria-orientation="vertical"
      aria-label={t('details.usual')}
      onKeyDown={walk}
    >
      {products.map((product, place) => (
        <UnstyledButton
          key={product.id}
          className={classes.product}
          tabIndex={place === 0 ? 0 : -1}
          onClick={() => onChoose(product)}
        >
          <kbd aria-hidden>{place + 1}</kbd>
          <ClampedText className={classes.name}>{product.name}</ClampedText>
        </UnstyledButton>
      ))}
    </div>
  );
}
