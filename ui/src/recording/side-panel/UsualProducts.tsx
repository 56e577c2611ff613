import { Skeleton, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import type { ProductView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { ProductDrawing } from '@/topics/catalogue/ProductDrawing';
import { codeAndUnit } from '@/topics/catalogue/productSearch';
import { NewNumber } from './NewNumber';
import { PinButton } from './PinButton';
import classes from './UsualProducts.module.css';
import { useChangedNumbers } from './useChangedNumbers';
import type { Pins } from './usePins';

interface Props {
  /** Undefined while they load. */
  products: ProductView[] | undefined;
  onChoose: (product: ProductView) => void;
  pins: Pins;
}

/**
 * Offer the products likely to be recorded next, each with a star.
 *
 * The list is one tab stop, and the arrow keys move within it. A product's number, typed into the search, chooses it
 * as well.
 */
export function UsualProducts({ products, onChoose, pins }: Props) {
  const t = useText();
  const list = useRef<HTMLDivElement>(null);
  const changed = useChangedNumbers();

  /**
   * Move the focus on arrow keys.
   *
   * Up and down lead to the next product or star, left and right from a product to its star and back.
   */
  function walk(event: KeyboardEvent) {
    const step = { ArrowDown: 2, ArrowUp: -2, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const place = buttons.indexOf(event.target as HTMLButtonElement);
    const next = step && buttons[place + step];
    const leavesRow = step && Math.abs(step) === 1 && (place % 2 === 1) === step > 0;
    if (!next || leavesRow) return;
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
        <div key={product.id} className={classes.row}>
          <UnstyledButton
            className={classes.product}
            tabIndex={place === 0 ? 0 : -1}
            onClick={() => onChoose(product)}
          >
            <kbd aria-hidden data-number={place + 1} />
            {product.picture && (
              <ProductDrawing name={product.name} productId={product.id} picture={product.picture} />
            )}
            <span className={classes.name}>
              <span>{product.name}</span>{' '}
              <span className={classes.note}>
                {codeAndUnit(product)}
                {changed.includes(product.id) && <NewNumber number={place + 1} />}
              </span>
            </span>
          </UnstyledButton>
          <PinButton product={product} pins={pins} className={classes.pin} tabIndex={-1} />
        </div>
      ))}
    </div>
  );
}
