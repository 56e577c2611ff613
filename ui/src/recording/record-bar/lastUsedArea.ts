import { deviceStorage } from '@/state/storage';

const KEY = 'areas';
const AT_MOST = 50;

type Remembered = [sheet: string, areaId: number | null][];

const all = () => deviceStorage.readJson<Remembered>(KEY) ?? [];

const named = (userId: number, sheetId: number) => `${userId} ${sheetId}`;

/**
 * Return the area that this user chose for a sheet on this device.
 *
 * It is null for no area, and undefined without a choice.
 */
export function lastUsedArea(userId: number, sheetId: number): number | null | undefined {
  return all().find(([sheet]) => sheet === named(userId, sheetId))?.[1];
}

/**
 * Remember the area that this user chose for a sheet.
 *
 * Only the latest sheets are stored, and never the room's own area, because that follows the patient.
 */
export function rememberArea(userId: number, sheetId: number, areaId: number | null, ofRoom: number) {
  const sheet = named(userId, sheetId);
  const others = all().filter(([one]) => one !== sheet);
  const now: Remembered = areaId === ofRoom ? others : [[sheet, areaId], ...others];
  deviceStorage.setItem(KEY, JSON.stringify(now.slice(0, AT_MOST)));
}
