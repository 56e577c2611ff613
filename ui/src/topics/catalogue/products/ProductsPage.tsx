import { Stack, Text } from '@mantine/core';
import { IconKeyboard, IconPackage, IconPencil, IconPrinter } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import {
  type CategoryView,
  type ProductView,
  useListProductsQuery,
  useReadCategoryQuery,
} from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { duplicateNames } from '@/shared/forms/duplicateNames';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { choiceAmong, choiceFilter, searchFilter } from '@/shared/lists/listFilters';
import { RowLink } from '@/shared/lists/RowLink';
import tableClasses from '@/shared/lists/table.module.css';
import { useListState } from '@/shared/lists/useListState';
import { Code } from '@/shared/ui/Code';
import { useReturnState } from '@/shared/ui/useReturnPath';
import { usePrintLabels } from '@/topics/printing/usePrintLabels';
import { CatalogueTabs } from '../CatalogueTabs';
import { ProductDrawing } from '../ProductDrawing';
import { Inactive } from './Inactive';
import classes from './ProductsPage.module.css';
import { useCategories } from './useCategories';

const states: { value: string; label: MessageId }[] = [
  { value: '1', label: 'products.activeOnes' },
  { value: '0', label: 'products.inactiveOnes' },
];

type Kind = { value: string; label: MessageId };
const kinds: Kind[] = [{ value: 'implant', label: 'products.implants' }];
/** Only for users who see prices: what is not charged has the total 0. */
const pricedKinds: Kind[] = [
  ...kinds,
  { value: 'included', label: 'products.includedOnes' },
  { value: 'charged', label: 'products.chargedOnes' },
];
/** Their accounts for families name the category only. */
const unnamedKind: Kind = { value: 'unnamed', label: 'products.withoutPlainName' };

/** List everything that can be recorded, with today's prices. */
export default function ProductsPage() {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const mayManage = useCan('catalogue.manage');
  const here = useReturnState();
  const list = useListState();

  const columns: Column<ProductView>[] = [
    {
      label: 'products.name',
      sort: 'name',
      noteSort: { label: 'products.code', sort: 'code' },
      cell: (product) => (
        <span className={classes.name}>
          {product.picture && (
            <ProductDrawing name={product.name} productId={product.id} picture={product.picture} />
          )}
          <RowLink to={`/products/${product.id}`} state={here}>
            {product.name}
          </RowLink>
          {!product.active && <Inactive />}
        </span>
      ),
      note: (product) => (
        <>
          <span className={isDuplicate(product) ? classes.equal : undefined}>{product.code}</span>
          {product.unit && <span>{product.code ? ` · ${product.unit}` : product.unit}</span>}
        </>
      ),
    },
    { label: 'products.category', sort: 'category', minor: true, cell: ({ category }) => category.name },
  ];
  if (seesPrices) {
    columns.push({
      label: 'products.price',
      sort: 'price',
      numeric: true,
      cell: ({ price }) => price !== undefined && format.money(price),
    });
  }

  const { page, q } = list;
  const sort = sortAmong(columns, list.sort);
  const categoryId = list.filterId('category');
  const state = choiceAmong(states, list.filter('active'));
  const active = state ? state === '1' : undefined;
  const allKinds = [...(seesPrices ? pricedKinds : kinds), ...(mayManage ? [unnamedKind] : [])];
  const kind = choiceAmong(allKinds, list.filter('kind'));
  const implant = kind === 'implant' || undefined;
  const includedInStay = kind === 'included' || (kind === 'charged' ? false : undefined);
  const plainName = kind === 'unnamed' ? 'missing' : undefined;
  const products = useListProductsQuery({
    ...{ page, sort, q, categoryId, active, implant, includedInStay, plainName },
  });
  const isDuplicate = duplicateNames(products.data?.items ?? []);
  const category = useReadCategoryQuery({ categoryId: categoryId ?? 0 }, { skip: categoryId === undefined });
  const { print, dialog } = usePrintLabels();
  const shown = products.data?.items ?? [];
  return (
    <>
      <ListPage
        title="products.title"
        list={list}
        answer={products}
        columns={columns}
        menu={({ id, name }) => ({
          of: name,
          items: [
            {
              label: t('labels.print'),
              icon: IconPrinter,
              run: () => print({ what: 'product', items: [{ id, name }] }),
            },
            ...(mayManage
              ? [{ label: t('products.edit'), icon: IconPencil, to: `/products/${id}/edit` }]
              : []),
          ],
        })}
        defaultSort="name"
        tabs={<CatalogueTabs at="/products" />}
        search="products.search"
        filters={[
          searchFilter<CategoryView>({
            list,
            name: 'category',
            label: t('products.category'),
            all: t('products.allCategories'),
            useFound: useCategories,
            nameOf: ({ name }) => name,
            noteOf: ({ code }) => code,
            valueName: category.currentData?.name,
          }),
          choiceFilter(t, {
            list,
            name: 'active',
            label: 'products.state',
            all: 'products.allStates',
            choices: states,
          }),
          choiceFilter(t, {
            list,
            name: 'kind',
            label: 'products.kind',
            all: 'details.allProducts',
            choices: allKinds,
          }),
        ]}
        exportFrom={{
          path: '/api/products',
          query: {
            ...{ sort, q, category_id: categoryId, active, implant },
            ...{ included_in_stay: includedInStay, plain_name: plainName },
          },
        }}
        imports="products"
        more={[
          {
            label: t('labels.print'),
            icon: IconPrinter,
            run: () => print({ what: 'product', items: shown }),
            disabled: shown.length === 0,
          },
          ...(mayManage ? [{ label: t('typed.title'), icon: IconKeyboard, to: '/products/typed' }] : []),
        ]}
        create={mayManage ? { to: '/products/create', label: 'products.create' } : undefined}
        offer={<NearestProducts products={products.data?.nearest ?? []} />}
        empty={{ icon: IconPackage, title: 'products.none', hint: 'products.noneHint' }}
      />
      {dialog}
    </>
  );
}

/** Suggest products with similar names if a search finds none. */
function NearestProducts({ products }: { products: ProductView[] }) {
  const t = useText();
  const here = useReturnState();
  const isDuplicate = duplicateNames(products);
  if (products.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-labelledby="nearest-products">
      <Text fw={600} id="nearest-products">
        {t('products.nearest')}
      </Text>
      <ul className={classes.nearest}>
        {products.map(({ id, name, code }) => (
          <li key={id}>
            <Link className={tableClasses.rowLink} to={`/products/${id}`} state={here}>
              {name}
            </Link>{' '}
            <Code code={code} equal={isDuplicate({ name })} />
          </li>
        ))}
      </ul>
    </Stack>
  );
}
