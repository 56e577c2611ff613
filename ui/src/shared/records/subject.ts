import type { SheetView } from '@/api/generated';

/** What lines are recorded on. */
export type Subject = SheetView;

/** Return the area in which the subject is. */
export const areaOf = ({ room }: Subject) => room.area_id;
/** Return the room of the patient. */
export const roomOf = ({ room_id }: Subject) => room_id;
export const isClosed = ({ closed }: Subject) => closed;
