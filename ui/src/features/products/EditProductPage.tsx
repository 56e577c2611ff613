import { useNavigate, useParams } from 'react-router-dom';
import {
  type ProductView,
  useDeleteProductMutation,
  useReadProductQuery,
  useUpdateProductMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { DeleteButton } from '@/components/forms/DeleteButton';
import { useSubmit } from '@/components/forms/useSubmit';
import { PageLoader } from '@/components/ui/PageLoader';
import { usePageTitle } from '@/components/ui/pageName';
import { useReturnPath } from '@/components/ui/useReturnPath';
import { draftOf, ProductForm, type ProductValues, useProductForm } from './ProductForm';

export default function EditProductPage() {
  const { id } = useParams();
  const product = useReadProductQuery({ productId: Number(id) });
  throwOnError(product);
  return product.currentData ? (
    <EditProductForm key={product.currentData.id} product={product.currentData} />
  ) : (
    <PageLoader />
  );
}

const valuesOf = ({
  name,
  category_id,
  price,
  unit,
  code,
  gtin,
  active,
  decimals,
  asks_lot,
  asks_serial,
  also_called,
}: ProductView): ProductValues => ({
  name,
  category_id,
  price: price ?? null,
  unit: unit ?? '',
  code: code ?? '',
  gtin: gtin ?? '',
  active,
  decimals: String(decimals),
  asks_lot,
  asks_serial,
  also_called,
});

function EditProductForm({ product }: { product: ProductView }) {
  usePageTitle(product.name, true);
  const navigate = useNavigate();
  const [updateProduct] = useUpdateProductMutation();
  const [deleteProduct] = useDeleteProductMutation();
  const { submit, pending } = useSubmit();
  const back = useReturnPath('/products');
  const form = useProductForm(valuesOf(product));
  const update = (values: ProductValues) =>
    updateProduct({ productId: product.id, productDraft: draftOf(values) });

  async function save(values: ProductValues) {
    const updated = await submit(() => update(values), { form, success: 'products.updated' });
    if (updated.ok) navigate(back, { replace: true });
  }

  return (
    <ProductForm form={form} product={product} save={save} pending={pending} back={back}>
      <DeleteButton
        label="products.delete"
        question="products.delete.question"
        success="products.deleted"
        what={product.name}
        run={() => deleteProduct({ productId: product.id })}
        after={back === `/products/${product.id}` ? '/products' : back}
        instead={
          product.active
            ? {
                question: 'products.deactivate.question',
                action: 'products.deactivate',
                success: 'products.updated',
                run: () => update({ ...valuesOf(product), active: false }),
              }
            : undefined
        }
      />
    </ProductForm>
  );
}
