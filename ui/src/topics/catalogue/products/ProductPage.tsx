import { Anchor, Stack } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { useReadProductQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { LatestDetails } from '@/shared/records/LatestDetails';
import { DescriptionItem } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { RecordCard } from '@/shared/ui/RecordCard';
import { StatusBadge } from '@/shared/ui/StatusBadge';
import { PrintLabelsButton } from '@/topics/printing/PrintLabelsButton';
import { ProductDrawing } from '../ProductDrawing';
import { Inactive } from './Inactive';
import { PriceHistory } from './PriceHistory';
import { ProductCodes } from './ProductCodes';
import { ProductUse } from './ProductUse';
import { TypedNames } from './TypedNames';

/** Show one product, as far as the user's permissions allow. */
export default function ProductPage() {
  const t = useText();
  const format = useFormat();
  const productId = Number(useParams().id);
  const mayManage = useCan('catalogue.manage');
  const mayReadImplants = useCan('implants.read');
  const seesPrices = useCan('prices.see');
  const product = useReadProductQuery({ productId });
  throwOnError(product);
  if (!product.currentData) return <PageLoader />;
  const {
    name,
    price,
    category,
    unit,
    code,
    gtin,
    active,
    decimals,
    asks_lot,
    asks_serial,
    implant,
    included_in_stay,
    also_called,
    plain_name,
    picture,
  } = product.currentData;
  const asked = [
    (asks_lot || implant) && t('details.lot'),
    (asks_serial || implant) && t('details.serial'),
  ].filter(Boolean);
  return (
    <Stack gap="md">
      <RecordCard
        name={name}
        picture={
          <ProductDrawing
            name={name}
            category={category.name}
            productId={productId}
            picture={picture}
            large
          />
        }
        actions={<PrintLabelsButton what="product" items={[{ id: productId, name }]} />}
        edit={mayManage ? `/products/${productId}/edit` : undefined}
      >
        <DescriptionItem name={t('products.alsoCalled')}>{also_called.join(' · ')}</DescriptionItem>
        <DescriptionItem name={t('products.plainName')}>{plain_name}</DescriptionItem>
        <DescriptionItem name={t('products.price')}>
          {price !== undefined &&
            [format.money(price), included_in_stay && t('products.included')].filter(Boolean).join(' · ')}
        </DescriptionItem>
        <DescriptionItem name={t('products.category')}>
          <Anchor component={Link} to={`/products?category=${category.id}`}>
            {[category.name, category.code].filter(Boolean).join(' · ')}
          </Anchor>
        </DescriptionItem>
        <DescriptionItem name={t('products.unit')}>{unit}</DescriptionItem>
        <DescriptionItem name={t('products.code')}>{code}</DescriptionItem>
        <DescriptionItem name={t('products.gtin')}>{gtin}</DescriptionItem>
        <DescriptionItem name={t('products.decimals')}>
          {decimals < 3 && t('products.withDecimals', { decimals })}
        </DescriptionItem>
        <DescriptionItem name={t('products.asks')}>{asked.join(', ')}</DescriptionItem>
        <DescriptionItem name={t('products.implant')}>
          {implant && mayReadImplants && (
            <Anchor component={Link} to={`/implants?product=${productId}`}>
              {t('implants.title')}
            </Anchor>
          )}
        </DescriptionItem>
        <DescriptionItem name={t('products.state')}>
          {active ? <StatusBadge is="active">{t('products.active')}</StatusBadge> : <Inactive />}
        </DescriptionItem>
      </RecordCard>
      <ProductUse product={product.currentData} />
      <LatestDetails title="products.lines" none="products.noLines" of={{ productId }} />
      {seesPrices && <PriceHistory productId={productId} />}
      {mayManage && <TypedNames productId={productId} />}
      {mayManage && <ProductCodes product={product.currentData} />}
    </Stack>
  );
}
