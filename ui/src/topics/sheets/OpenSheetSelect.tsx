import { useCallback } from 'react';
import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { SearchSelect, type SearchSelectProps } from '@/shared/forms/SearchSelect';
import { fullName } from '@/shared/records/fullName';

/** Query open sheets by room and patient, as ranked by the server. */
export const useOpenSheets = (q: string | undefined, skip: boolean) =>
  useListSheetsQuery({ q, limit: 20 }, { skip });

export const sheetName = ({ patient }: SheetView) => fullName(patient);

/**
 * Return a function that describes what distinguishes a sheet.
 *
 * This is the room, the record number and, for two sheets of one patient, the admission.
 */
export function useSheetNote() {
  const format = useFormat();
  return useCallback(
    ({ room, patient, admission_date }: SheetView) =>
      [room.name, patient.record_number, format.day(admission_date)].filter(Boolean).join(' · '),
    [format],
  );
}

export function SheetNote({ sheet }: { sheet: SheetView }) {
  const note = useSheetNote();
  return <span>{note(sheet)}</span>;
}

type Props = Omit<
  SearchSelectProps<SheetView>,
  'useFound' | 'nameOf' | 'noteOf' | 'takesExactOnly' | 'placeholder'
> &
  // For some of the open sheets only.
  Partial<Pick<SearchSelectProps<SheetView>, 'useFound'>>;

/** Selector for open sheets. Enter only takes an exact match. */
export function OpenSheetSelect(props: Props) {
  const t = useText();
  return (
    <SearchSelect<SheetView>
      placeholder={t('sheets.find')}
      useFound={useOpenSheets}
      {...props}
      nameOf={sheetName}
      noteOf={(sheet) => <SheetNote sheet={sheet} />}
      takesExactOnly
    />
  );
}
