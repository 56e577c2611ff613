import type { UseFormReturnType } from '@mantine/form';
import { useText } from '@/i18n/useText';
import { OpenSheetSelect } from '../OpenSheetSelect';

interface Values {
  consumption_sheet_id: number | null;
}

/** Choose an open sheet: nothing can be recorded on closed ones. */
export function SheetSelect<V extends Values>({ form }: { form: UseFormReturnType<V> }) {
  const t = useText();
  return (
    <OpenSheetSelect
      label={t('details.sheet')}
      required
      autoFocus
      {...form.getInputProps('consumption_sheet_id')}
    />
  );
}
