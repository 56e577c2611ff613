import { Button, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import type { ProductView } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { EmptyState } from '@/shared/ui/EmptyState';
import { PageLoader } from '@/shared/ui/PageLoader';
import { type Encode, SymbolPicture, useSymbol } from '@/shared/ui/SymbolPicture';
import classes from './PracticeCodesPage.module.css';
import { labelOf } from './practiceTasks';
import { usePracticeTasks } from './usePracticeTasks';

/** Print bar codes: those that the practice asks for, and more to photograph together. */
export default function PracticeCodesPage() {
  const t = useText();
  const { printed, isLoading, listed } = usePracticeTasks();
  throwOnError(listed);
  if (isLoading || !printed) return <PageLoader />;
  if (printed.length === 0)
    return <EmptyState title={t('practice.noProducts')} hint={t('practice.noProductsHint')} />;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Text className={classes.hint}>{t('practice.codes.hint')}</Text>
        <Button leftSection={<IconPrinter size={20} aria-hidden />} onClick={() => window.print()}>
          {t('practice.codes.print')}
        </Button>
      </div>
      <ul className={classes.labels}>
        {printed.map((product) => (
          <Label key={product.id} product={product} />
        ))}
      </ul>
    </div>
  );
}

interface LabelProps {
  product: Pick<ProductView, 'name' | 'code' | 'gtin'>;
  encode?: Encode;
}

/** A label with the bar code of a product. */
export function Label({ product, encode }: LabelProps) {
  const t = useText();
  const text = labelOf(product);
  const symbol = useSymbol(text, 'Code128', encode);
  return (
    <li className={classes.label}>
      <span className={classes.place}>
        {symbol && (
          <SymbolPicture
            symbol={symbol}
            label={t('practice.codes.of', { product: product.name })}
            className={classes.symbol}
          />
        )}
      </span>
      <span className={classes.text}>{text}</span>
      <b>{product.name}</b>
      <span className={classes.mark}>{t('practice.title')}</span>
    </li>
  );
}
