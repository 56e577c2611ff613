import { NativeSelect, SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import '@mantine/core/styles/SimpleGrid.css';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { type ReactNode, useState } from 'react';
import type { CategoryView, ProductView } from '@/api/generated';
import { DecimalInput, useDecimalRule } from '@/components/forms/DecimalInput';
import { FormCard } from '@/components/forms/FormCard';
import { SearchSelect } from '@/components/forms/SearchSelect';
import type { Decimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { ignoreScannerEnter } from '@/scan/ignoreScannerEnter';
import { useCategoryDialog } from './CategoryDialog';
import classes from './ProductForm.module.css';
import { useCategories } from './useCategories';

/** The fields of a product, named and ordered as in the form. */
export interface ProductValues {
  name: string;
  also_called: string[];
  category_id: number | null;
  price: Decimal;
  unit: string;
  code: string;
  gtin: string;
  active: boolean;
  decimals: string;
  asks_lot: boolean;
  asks_serial: boolean;
}

export function useProductForm(initialValues: ProductValues) {
  const t = useText();
  const required = isNotEmpty(t('form.required'));
  const decimal = useDecimalRule();
  return useForm({
    initialValues,
    validate: {
      name: required,
      category_id: required,
      price: (price) => {
        if (typeof price !== 'number') return decimal(price);
        return price === Number(price.toFixed(2)) ? null : t('products.priceTooFine');
      },
    },
  });
}

/** Convert validated form values to the request body. */
export const draftOf = (values: ProductValues) => ({
  ...values,
  category_id: values.category_id as number,
  price: values.price as number,
  active: Number(values.active),
  decimals: Number(values.decimals),
});

interface Props {
  form: UseFormReturnType<ProductValues>;
  /** The stored product; undefined for a new one. */
  product?: ProductView;
  save: (values: ProductValues) => void;
  pending: boolean;
  /** The path of the cancel link. */
  back: string;
  /** Other actions for this product. */
  children?: ReactNode;
}

export function ProductForm({ form, product, save, pending, back, children }: Props) {
  const t = useText();
  const [made, setMade] = useState<CategoryView>();
  const categories = useCategoryDialog((category) => {
    setMade(category);
    form.setFieldValue('category_id', category.id);
    form.clearFieldError('category_id');
  });
  const chosen = form.values.category_id === made?.id ? made : product?.category;
  return (
    <>
      <FormCard form={form} save={save} pending={pending} back={back} extra={children}>
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
          label={t('products.active')}
          description={t('products.activeHint')}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
      </FormCard>
      {categories.dialog}
    </>
  );
}
