import { useReadAreaQuery, useReadPatientQuery, useReadRoomQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import type { Filter } from '@/shared/lists/listFilters';
import type { ListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';

/**
 * Build the filters for a linked patient, room or area.
 *
 * They can be removed, but not chosen.
 */
export function useParentFilters(list: ListState): Filter[] {
  const t = useText();
  const patientId = list.filterId('patient');
  const roomId = list.filterId('room');
  const areaId = list.filterId('area');
  const { currentData: patient } = useReadPatientQuery({ patientId: patientId ?? 0 }, { skip: !patientId });
  const { currentData: room } = useReadRoomQuery({ roomId: roomId ?? 0 }, { skip: !roomId });
  const { currentData: area } = useReadAreaQuery({ areaId: areaId ?? 0 }, { skip: !areaId });
  const of = (name: string, label: string, id: number | undefined, called: string | undefined): Filter[] =>
    id === undefined ? [] : [{ name, label, value: called ?? '…', off: { [name]: '' } }];
  return [
    ...of('patient', t('sheets.patient'), patientId, patient && fullName(patient)),
    ...of('room', t('sheets.room'), roomId, room?.name),
    ...of('area', t('details.area'), areaId, area?.name),
  ];
}
