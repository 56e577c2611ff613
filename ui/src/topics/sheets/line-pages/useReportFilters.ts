import { useReadCategoryQuery, useReadPatientQuery, useReadRoomQuery } from '@/api/generated';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { useText } from '@/i18n/useText';
import type { Filter } from '@/shared/lists/listFilters';
import type { ListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';

/**
 * Return the filters that the rows of a report set, and their values.
 *
 * They can be removed, but not chosen.
 */
export function useReportFilters(list: ListState) {
  const t = useText();
  const categoryId = list.filterId('category');
  const roomId = list.filterId('room');
  const patientId = list.filterId('patient');
  const { currentData: category } = useReadCategoryQuery(
    { categoryId: categoryId ?? 0 },
    { skip: !categoryId },
  );
  const { currentData: room } = useReadRoomQuery({ roomId: roomId ?? 0 }, { skip: !roomId });
  const { currentData: patient } = useReadPatientQuery({ patientId: patientId ?? 0 }, { skip: !patientId });
  const shifts = useReadSettingsQuery().data?.shifts ?? [];
  const asked = list.filter('shift');
  const shift = asked && /^[0-9]$/.test(asked) ? Number(asked) : undefined;
  const begins = shift === undefined ? undefined : shifts[shift];
  const ends = shifts[((shift ?? 0) + 1) % shifts.length];
  const of = (name: string, label: string, id: number | undefined, called: string | undefined): Filter[] =>
    id === undefined ? [] : [{ name, label, value: called ?? '…', off: { [name]: '' } }];
  return {
    values: { categoryId, roomId, patientId, shift },
    filters: [
      ...of('category', t('reports.by.category'), categoryId, category?.name),
      ...of('room', t('sheets.room'), roomId, room?.name),
      ...of('patient', t('sheets.patient'), patientId, patient && fullName(patient)),
      ...of('shift', t('reports.by.shift'), shift, begins && `${begins}–${ends}`),
    ],
  };
}
