import { deviceStorage } from '@/state/storage';

/** The ways to record a line that an empty sheet explains. */
export type RecordingWay = 'scan' | 'type' | 'repeat';

const keyOf = (userId: number) => `ways ${userId}`;

/** Return the ways in which the user has recorded a line on this device. */
export const waysDone = (userId: number) =>
  (deviceStorage.getItem(keyOf(userId)) ?? '').split(' ').filter(Boolean);

/** Remember that the user has recorded a line in this way. */
export function noteWay(userId: number, way: RecordingWay) {
  const done = waysDone(userId);
  if (!done.includes(way)) deviceStorage.setItem(keyOf(userId), [...done, way].join(' '));
}
