import { Anchor, Stack } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { useReadProductQuery } from '@/api/generated';
import { failOn } from '@/api/problem';
import { Fact } from '@/components/Facts';
import { LinesOf } from '@/components/LinesOf';
import { PageLoader } from '@/components/PageLoader';
import { ShowCard } from '@/components/ShowCard';
import { StatusBadge } from '@/components/StatusBadge';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { Inactive } from './Inactive';
import { PriceHistory } from './PriceHistory';
import { ProductCodes } from './ProductCodes';
import { ProductUse } from './ProductUse';
import { TypedNames } from './TypedNames';

/** One product, as far as this person may see it. */
export default function ProductPage() {
  const t = useText();
  const format = useFormat();
  const productId = Number(useParams().id);
  const mayManage = useCan('catalogue.manage');
  const seesPrices = useCan('prices.see');
  const product = useReadProductQuery({ productId });
  failOn(product);
  if (!product.currentData) return <PageLoader />;
  const { name, price, category, unit, code, gtin, active, decimals, asks_lot, asks_serial, also_called } =
    product.currentData;
  const asked = [asks_lot && t('details.lot'), asks_serial && t('details.serial')].filter(Boolean);
  return (
    <Stack gap="md">
      <ShowCard name={name} edit={mayManage ? `/products/${productId}/edit` : undefined}>
        <Fact name={t('products.alsoCalled')}>{also_called.join(' · ')}</Fact>
        <Fact name={t('products.price')}>{price !== undefined && format.money(price)}</Fact>
        <Fact name={t('products.category')}>
          <Anchor component={Link} to={`/products?category=${category.id}`}>
            {[category.name, category.code].filter(Boolean).join(' · ')}
          </Anchor>
        </Fact>
        <Fact name={t('products.unit')}>{unit}</Fact>
        <Fact name={t('products.code')}>{code}</Fact>
        <Fact name={t('products.gtin')}>{gtin}</Fact>
        <Fact name={t('products.decimals')}>{decimals < 3 && t('products.withDecimals', { decimals })}</Fact>
        <Fact name={t('products.asks')}>{asked.join(', ')}</Fact>
        <Fact name={t('products.state')}>
          {active ? <StatusBadge is="active">{t('products.active')}</StatusBadge> : <Inactive />}
        </Fact>
      </ShowCard>
      <ProductUse product={product.currentData} />
      <LinesOf title="products.lines" none="products.noLines" of={{ productId }} />
      {seesPrices && <PriceHistory productId={productId} />}
      {mayManage && <TypedNames productId={productId} />}
      {mayManage && <ProductCodes product={product.currentData} />}
    </Stack>
  );
}
