import type { AreaSheetView, SheetView } from '@/api/generated';

/** What lines are recorded on: the sheet of a patient, or the page of an area. */
export type Subject = SheetView | AreaSheetView;

/** Return the id of the area, or of the area of the patient's room. */
export const areaOf = (subject: Subject) => ('area' in subject ? subject.area.id : subject.room.area_id);
/** Return the id of the patient's room. */
export const roomOf = (subject: Subject) => ('area' in subject ? undefined : subject.room_id);
/** Return whether nothing is recorded any more. The page of an area is never closed. */
export const isClosed = (subject: Subject) => !('area' in subject) && subject.closed;
