import type { UseFormReturnType } from '@mantine/form';
import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { fullName } from '@/components/fullName';
import { SearchSelect } from '@/components/SearchSelect';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

export const useOpenSheets = (q: string | undefined, skip: boolean) =>
  useListSheetsQuery({ q, limit: 20 }, { skip });

export const sheetName = ({ patient }: SheetView) => fullName(patient);

/** A patient may have several open sheets: room and day of admission tell them apart. */
export function SheetNote({ sheet: { room, admission_date } }: { sheet: SheetView }) {
  const format = useFormat();
  return <span>{[room.name, format.day(admission_date)].join(' · ')}</span>;
}

interface Values {
  consumption_sheet_id: number | null;
}

/** One of the open sheets: on closed ones nothing is recorded. */
export function SheetSelect<V extends Values>({ form }: { form: UseFormReturnType<V> }) {
  const t = useText();
  return (
    <SearchSelect<SheetView>
      label={t('details.sheet')}
      placeholder={t('details.sheetPlaceholder')}
      required
      autoFocus
      {...form.getInputProps('consumption_sheet_id')}
      useFound={useOpenSheets}
      nameOf={sheetName}
      noteOf={(sheet) => <SheetNote sheet={sheet} />}
    />
  );
}
