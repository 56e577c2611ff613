import { Paper, Text, Title, VisuallyHidden } from '@mantine/core';
import { useReadPriceHistoryQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './ProductUse.module.css';

/**
 * Show a product's price changes to users who see prices.
 *
 * Each has its time and its user.
 */
export function PriceHistory({ productId }: { productId: number }) {
  const t = useText();
  const format = useFormat();
  const history = useReadPriceHistoryQuery({ productId });
  throwOnError(history);
  if (!history.currentData) return null;
  const { items } = history.currentData;
  return (
    <Paper withBorder component="section" aria-labelledby="prices" style={{ overflow: 'hidden' }}>
      <Title order={2} size="h3" id="prices" px="1.25rem" py="sm">
        {t('products.prices')}
      </Title>
      {items.length === 0 ? (
        <Text c="dimmed" px="1.25rem" pb="md">
          {t('products.noPrices')}
        </Text>
      ) : (
        <ul className={classes.prices}>
          {items.map(({ at, by, imported, previous_price: before, price }) => (
            <li key={`${at} ${price}`}>
              <span>
                {before !== undefined && before !== null && (
                  <>
                    <Text span c="dimmed">
                      {format.money(before)}
                    </Text>
                    <span aria-hidden> → </span>
                    <VisuallyHidden>{` ${t('products.priceTo')} `}</VisuallyHidden>
                  </>
                )}
                <b>{price !== undefined && format.money(price)}</b>
              </span>
              <span>
                {[format.moment(at), by ?? t('audit.someone'), imported && t('products.priceImported')]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Paper>
  );
}
