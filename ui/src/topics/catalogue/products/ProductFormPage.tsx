import { NativeSelect, SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import { useParams } from 'react-router-dom';
import {
  type CategoryView,
  type ProductView,
  useCreateProductMutation,
  useDeleteProductMutation,
  useReadProductQuery,
  useUpdateProductMutation,
} from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { ignoreScannerEnter } from '@/scan/ignoreScannerEnter';
import { DecimalInput, useDecimalRule } from '@/shared/forms/DecimalInput';
import { DeleteButton } from '@/shared/forms/DeleteButton';
import { RecordForm } from '@/shared/forms/RecordForm';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { Loaded } from '@/shared/ui/Loaded';
import { usePageTitle } from '@/shared/ui/pageName';
import { useReturnPath } from '@/shared/ui/useReturnPath';
import { useCategoryDialog } from './CategoryDialog';
import { PictureField, usePicture } from './PictureField';
import classes from './ProductFormPage.module.css';
import { useCategories } from './useCategories';

/** Create a product, or edit the one in the URL. */
export default function ProductFormPage() {
  const { id } = useParams();
  const read = useReadProductQuery({ productId: Number(id) }, { skip: !id });
  return id ? <Loaded read={read}>{(product) => <ProductForm product={product} />}</Loaded> : <ProductForm />;
}

/** Return the form values in the order of the fields: the first invalid one gets the focus. */
const valuesOf = (product?: ProductView) => ({
  name: product?.name ?? '',
  also_called: product?.also_called ?? [],
  category_id: product?.category_id ?? null,
  price: (product?.price ?? null) as Decimal,
  unit: product?.unit ?? '',
  code: product?.code ?? '',
  gtin: product?.gtin ?? '',
  active: product?.active ?? true,
  decimals: String(product?.decimals ?? 3),
  asks_lot: product?.asks_lot ?? false,
  asks_serial: product?.asks_serial ?? false,
  implant: product?.implant ?? false,
});

type Values = ReturnType<typeof valuesOf>;

/** Convert validated form values to the request body. */
const draftOf = (values: Values) => ({
  ...values,
  category_id: values.category_id as number,
  price: values.price as number,
  active: Number(values.active),
  decimals: Number(values.decimals),
});

function ProductForm({ product }: { product?: ProductView }) {
  const t = useText();
  usePageTitle(product?.name, true);
  const [createProduct] = useCreateProductMutation();
  const [updateProduct] = useUpdateProductMutation();
  const [deleteProduct] = useDeleteProductMutation();
  const back = useReturnPath('/products');
  const decimal = useDecimalRule();
  const required = isNotEmpty(t('form.required'));
  const form = useForm({
    initialValues: valuesOf(product),
    validate: {
      name: required,
      category_id: required,
      price: (price) => {
        if (typeof price !== 'number') return decimal(price);
        return price === Number(price.toFixed(2)) ? null : t('products.priceTooFine');
      },
    },
  });
  const [made, setMade] = useState<CategoryView>();
  const categories = useCategoryDialog((category) => {
    setMade(category);
    form.setFieldValue('category_id', category.id);
    form.clearFieldError('category_id');
  });
  const chosen = form.values.category_id === made?.id ? made : product?.category;

  const picture = usePicture(product);
  /** The product whose picture could not be saved: the next attempt does not create it again. */
  const created = useRef<number>(undefined);

  function save(values: Values) {
    const productDraft = draftOf(values);
    const productId = product?.id ?? created.current;
    return productId ? updateProduct({ productId, productDraft }) : createProduct({ productDraft });
  }

  async function saveWithPicture(values: Values) {
    const saved = await save(values);
    if (!saved.data) return saved;
    created.current = saved.data.id;
    const { error } = await picture.save(saved.data.id);
    return error === undefined ? saved : { error };
  }

  return (
    <>
      <RecordForm
        form={form}
        run={saveWithPicture}
        alsoUnsaved={picture.isUnsaved}
        success={product ? 'products.updated' : 'products.created'}
        back={back}
        extra={
          product && (
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
                      run: () => save({ ...valuesOf(product), active: false }),
                    }
                  : undefined
              }
            />
          )
        }
      >
        <TextInput
          label={t('products.name')}
          required
          maxLength={200}
          autoFocus={!product}
          {...form.getInputProps('name')}
        />
        <TagsInput
          label={t('products.alsoCalled')}
          description={t('products.alsoCalledHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxTags={10}
          maxLength={60}
          splitChars={[';']}
          {...form.getInputProps('also_called')}
        />
        <SearchSelect<CategoryView>
          label={t('products.category')}
          required
          useFound={useCategories}
          nameOf={({ name }) => name}
          noteOf={({ code }) => code}
          valueName={chosen?.name}
          create={{
            label: (text) => (text ? t('categories.createNamed', { name: text }) : t('categories.create')),
            run: categories.create,
          }}
          {...form.getInputProps('category_id')}
        />
        <PictureField product={product} name={form.values.name} category={chosen?.name} picture={picture} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <DecimalInput
            label={t('products.price')}
            required
            {...form.getInputProps('price')}
            value={form.values.price}
          />
          <TextInput
            label={t('products.unit')}
            description={t('products.unitHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={200}
            {...form.getInputProps('unit')}
          />
          <TextInput
            label={t('products.code')}
            description={t('products.codeHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={200}
            autoComplete="off"
            data-scan="own"
            onKeyDown={ignoreScannerEnter}
            {...form.getInputProps('code')}
          />
          <TextInput
            label={t('products.gtin')}
            description={t('products.gtinHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            inputMode="numeric"
            autoComplete="off"
            data-scan="own"
            onKeyDown={ignoreScannerEnter}
            {...form.getInputProps('gtin')}
          />
        </SimpleGrid>
        <NativeSelect
          label={t('products.decimals')}
          description={t('products.decimalsHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={['0', '1', '2', '3'].map((decimals) => ({
            value: decimals,
            label: t('products.withDecimals', { decimals: Number(decimals) }),
          }))}
          {...form.getInputProps('decimals')}
        />
        <Switch
          classNames={{ body: classes.switch, labelWrapper: classes.switchLabel }}
          size="md"
          label={t('products.asksLot')}
          description={t('products.asksHint')}
          {...form.getInputProps('asks_lot', { type: 'checkbox' })}
        />
        <Switch
          classNames={{ body: classes.switch, labelWrapper: classes.switchLabel }}
          size="md"
          label={t('products.asksSerial')}
          {...form.getInputProps('asks_serial', { type: 'checkbox' })}
        />
        <Switch
          classNames={{ body: classes.switch, labelWrapper: classes.switchLabel }}
          size="md"
          label={t('products.implant')}
          description={t('products.implantHint')}
          {...form.getInputProps('implant', { type: 'checkbox' })}
        />
        <Switch
          classNames={{ body: classes.switch, labelWrapper: classes.switchLabel }}
          size="md"
          label={t('products.active')}
          description={t('products.activeHint')}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
      </RecordForm>
      {categories.dialog}
    </>
  );
}
