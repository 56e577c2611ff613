import { useNavigate } from 'react-router-dom';
import { useCreateProductMutation } from '@/api/generated';
import { useSubmit } from '@/components/forms/useSubmit';
import { useReturnPath } from '@/components/ui/useReturnPath';
import { draftOf, ProductForm, type ProductValues, useProductForm } from './ProductForm';

export default function CreateProductPage() {
  const navigate = useNavigate();
  const [createProduct] = useCreateProductMutation();
  const { submit, pending } = useSubmit();
  const back = useReturnPath('/products');
  const form = useProductForm({
    name: '',
    category_id: null,
    price: null,
    unit: '',
    code: '',
    gtin: '',
    active: true,
    decimals: '3',
    asks_lot: false,
    asks_serial: false,
    also_called: [],
  });

  async function save(values: ProductValues) {
    const created = await submit(() => createProduct({ productDraft: draftOf(values) }), {
      form,
      success: 'products.created',
    });
    if (created.ok) navigate(back, { replace: true });
  }

  return <ProductForm form={form} save={save} pending={pending} back={back} />;
}
