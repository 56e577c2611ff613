import { Anchor, Button, Stack } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { type KitLineView, useReadKitQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { LinkList } from '@/shared/lists/LinkList';
import { DescriptionItem } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { RecordCard } from '@/shared/ui/RecordCard';
import { PrintLabelsButton } from '@/topics/printing/PrintLabelsButton';
import { homeOf } from './useWhoseKits';

/** Show one kit and its lines. */
export default function KitPage() {
  const kitId = Number(useParams().id);
  const t = useText();
  const format = useFormat();
  const mayManage = useCan('kits.manage');
  const read = useReadKitQuery({ kitId });
  throwOnError(read);
  const kit = read.currentData;
  if (!kit) return <PageLoader />;
  const home = `${homeOf(kit)}/${kitId}`;
  const mayChange = kit.own || mayManage;

  const noteOf = ({ quantity, optional, product: { unit, active } }: KitLineView) =>
    [
      [format.quantity(quantity), unit].filter(Boolean).join(' '),
      optional && t('kits.isOptional'),
      !active && t('products.inactive'),
    ]
      .filter(Boolean)
      .join(' · ');
  return (
    <Stack gap="md">
      <RecordCard
        name={kit.name}
        actions={
          <>
            <PrintLabelsButton what="kit" items={[{ id: kitId, name: kit.name }]} />
            {mayChange && (
              <Button component={Link} to={`${home}/review`} variant="default">
                {t('kits.review.open')}
              </Button>
            )}
          </>
        }
        edit={mayChange ? `${home}/edit` : undefined}
      >
        <DescriptionItem name={t('kits.whose')}>{t(kit.own ? 'kits.own' : 'kits.hospitals')}</DescriptionItem>
        <DescriptionItem name={t('details.area')}>
          {kit.area ? (
            <Anchor component={Link} to={`/areas/${kit.area.id}`}>
              {kit.area.name}
            </Anchor>
          ) : (
            !kit.own && t('kits.everywhere')
          )}
        </DescriptionItem>
      </RecordCard>
      <LinkList
        title="kits.lines"
        none="kits.noLines"
        answer={{
          currentData: {
            items: kit.lines.map((line) => ({ id: line.product_id, line })),
            meta: { total: kit.lines.length },
          },
        }}
        link={({ id, line }) => ({ to: `/products/${id}`, name: line.product.name, note: noteOf(line) })}
      />
    </Stack>
  );
}
