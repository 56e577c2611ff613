import { useEffect, useEffectEvent, useState } from 'react';
import { useListAreasQuery } from '@/api/generated';
import { useSession } from '@/session/session';
import { areaOf, type Subject } from '@/shared/records/subject';
import { lastUsedArea } from './lastUsedArea';
import type { DetailForm } from './useDetailForm';

/**
 * Put the area of the room into the bar, or the one that was chosen for this sheet.
 *
 * There is no choice with only one area, and on the page of an area. Returns whether the area is known.
 */
export function useDefaultArea(form: DetailForm, sheet: Subject | undefined): boolean {
  const userId = useSession().user?.id ?? 0;
  const areas = useListAreasQuery({ limit: 100 });
  const hasAreas = (areas.data?.items.length ?? 0) > 1;
  const [isKnown, setKnown] = useState(false);
  const roomArea = sheet && areaOf(sheet);
  const isArea = sheet !== undefined && 'area' in sheet;
  const begin = useEffectEvent((sheetId: number, areaId: number) => {
    const remembered = isArea ? undefined : lastUsedArea(userId, sheetId);
    if (hasAreas || isArea) form.setFieldValue('area_id', remembered === undefined ? areaId : remembered);
    setKnown(true);
  });
  const sheetId = sheet?.id;
  const isAnswered = areas.isSuccess || areas.isError;
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when the patient moves to another room.
  useEffect(() => {
    if (isAnswered && sheetId !== undefined && roomArea !== undefined) begin(sheetId, roomArea);
  }, [isAnswered, hasAreas, sheetId, roomArea]);
  return isKnown;
}
