import { TextInput } from '@mantine/core';
import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { AreaView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useDecimalRule } from '@/shared/forms/DecimalInput';
import { FormCard } from '@/shared/forms/FormCard';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { useAreas } from '../useAreas';
import { KitLines, type KitValues } from './KitLines';

export function useKitForm(initialValues: KitValues) {
  const t = useText();
  const decimal = useDecimalRule();
  return useForm<KitValues>({
    initialValues,
    validate: ({ name, lines }) => {
      const errors: FormErrors = {};
      if (!name.trim()) errors.name = t('form.required');
      if (lines.length === 0) errors.lines = t('kits.chooseOne');
      lines.forEach(({ quantity }, place) => {
        const wrong = decimal(quantity);
        if (wrong) errors[`lines.${place}.quantity`] = wrong;
      });
      return errors;
    },
  });
}

/** Convert validated form values to the request body. */
export const draftOf = ({ name, area_id, lines }: KitValues) => ({
  name,
  area_id: area_id ?? undefined,
  lines: lines.map(({ product, quantity, optional }) => ({
    product_id: product.id,
    quantity: quantity as number,
    optional,
  })),
});

interface Props {
  form: UseFormReturnType<KitValues>;
  /** Whether it is a personal kit. */
  own: boolean;
  /** The name of the present area. */
  areaName?: string;
  save: (values: KitValues) => void;
  pending: boolean;
  back: string;
  notice?: ReactNode;
  /** Other actions for this kit. */
  children?: ReactNode;
}

export function KitForm({ form, own, areaName, save, pending, back, notice, children }: Props) {
  const t = useText();
  return (
    <FormCard form={form} save={save} pending={pending} back={back} notice={notice} extra={children}>
      <TextInput
        label={t('kits.name')}
        required
        maxLength={200}
        autoFocus={!form.values.name}
        {...form.getInputProps('name')}
      />
      {!own && (
        <SearchSelect<AreaView>
          label={t('details.area')}
          placeholder={t('kits.everywhere')}
          description={t('kits.areaHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          useFound={useAreas}
          nameOf={({ name }) => name}
          valueName={areaName}
          {...form.getInputProps('area_id')}
        />
      )}
      <KitLines form={form} />
    </FormCard>
  );
}
