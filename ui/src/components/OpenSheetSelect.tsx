import { useCallback } from 'react';
import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { fullName } from './fullName';
import { SearchSelect, type SearchSelectProps } from './SearchSelect';

/** The open sheets that a text finds by room and person, as the server ranks them. */
export const useOpenSheets = (q: string | undefined, skip: boolean) =>
  useListSheetsQuery({ q, limit: 20 }, { skip });

export const sheetName = ({ patient }: SheetView) => fullName(patient);

/** Returns what tells sheets apart: the room, the record number and, for two sheets of one patient, the admission. */
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
>;

/** Choose one of the open sheets. Enter takes only the one that the text names without doubt. */
export function OpenSheetSelect(props: Props) {
  const t = useText();
  return (
    <SearchSelect<SheetView>
      placeholder={t('sheets.find')}
      {...props}
      useFound={useOpenSheets}
      nameOf={sheetName}
      noteOf={(sheet) => <SheetNote sheet={sheet} />}
      takesExactOnly
    />
  );
}
