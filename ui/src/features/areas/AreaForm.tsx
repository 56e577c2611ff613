import { TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { useText } from '@/i18n/useText';

export interface AreaValues {
  name: string;
  code: string;
}

export function useAreaForm(initialValues: AreaValues) {
  const t = useText();
  return useForm({ initialValues, validate: { name: isNotEmpty(t('form.required')) } });
}

export function AreaFields({ form }: { form: UseFormReturnType<AreaValues> }) {
  const t = useText();
  return (
    <>
      <TextInput label={t('areas.name')} required maxLength={200} autoFocus {...form.getInputProps('name')} />
      <TextInput
        label={t('areas.code')}
        description={t('areas.codeHint')}
        maxLength={80}
        autoComplete="off"
        {...form.getInputProps('code')}
      />
    </>
  );
}
