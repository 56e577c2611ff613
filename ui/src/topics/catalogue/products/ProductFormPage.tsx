import { NativeSelect, SimpleGrid, Switch, TagsInput, TextInput, type TextInputProps } from '@mantine/core';
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

const SCANNED = { autoComplete: 'off', 'data-scan': 'own', onKeyDown: ignoreScannerEnter } as const;

/** The fields that are a text or a switch, each of which needs an entry here alone. The others have more rules. */
const TEXTS = [
  { name: 'plain_name', label: 'products.plainName', hint: 'products.plainNameHint', maxLength: 60 },
  { name: 'unit', label: 'products.unit', hint: 'products.unitHint', maxLength: 200 },
  { name: 'code', label: 'products.code', hint: 'products.codeHint', maxLength: 200, ...SCANNED },
  { name: 'gtin', label: 'products.gtin', hint: 'products.gtinHint', inputMode: 'numeric', ...SCANNED },
] as const;
const SWITCHES = [
  { name: 'asks_lot', label: 'products.asksLot', hint: 'products.asksHint', initial: false },
  { name: 'asks_serial', label: 'products.asksSerial', hint: null, initial: false },
  { name: 'implant', label: 'products.implant', hint: 'products.implantHint', initial: false },
  { name: 'included_in_stay', label: 'products.included', hint: 'products.includedHint', initial: false },
  { name: 'active', label: 'products.active', hint: 'products.activeHint', initial: true },
] as const;

const HINT_BELOW: Pick<TextInputProps, 'inputWrapperOrder'> = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
};

/** Return the form values in the order of the fields: the first invalid one gets the focus. */
const valuesOf = (product?: ProductView) => ({
  name: product?.name ?? '',
  also_called: product?.also_called ?? [],
  category_id: product?.category_id ?? null,
  price: (product?.price ?? null) as Decimal,
  ...valuesFor(TEXTS, ({ name }) => product?.[name] ?? ''),
  decimals: String(product?.decimals ?? 3),
  ...valuesFor(SWITCHES, ({ name, initial }) => product?.[name] ?? initial),
});

/** Return an object with the value of each field of a list. */
const valuesFor = <Field extends { name: string }, Value>(
  fields: readonly Field[],
  initial: (field: Field) => Value,
) => Object.fromEntries(fields.map((field) => [field.name, initial(field)])) as Record<Field['name'], Value>;

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
          {...HINT_BELOW}
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
          {TEXTS.map(({ name, label, hint, ...input }) => (
            <TextInput
              key={name}
              label={t(label)}
              description={t(hint)}
              {...HINT_BELOW}
              {...input}
              {...form.getInputProps(name)}
            />
          ))}
        </SimpleGrid>
        <NativeSelect
          label={t('products.decimals')}
          description={t('products.decimalsHint')}
          {...HINT_BELOW}
          data={['0', '1', '2', '3'].map((decimals) => ({
            value: decimals,
            label: t('products.withDecimals', { decimals: Number(decimals) }),
          }))}
          {...form.getInputProps('decimals')}
        />
        {SWITCHES.map(({ name, label, hint }) => (
          <Switch
            key={name}
            classNames={{ body: classes.switch, labelWrapper: classes.switchLabel }}
            size="md"
            label={t(label)}
            description={hint && t(hint)}
            {...form.getInputProps(name, { type: 'checkbox' })}
          />
        ))}
      </RecordForm>
      {categories.dialog}
    </>
  );
}
