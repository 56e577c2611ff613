const KEY = 'areas';
const AT_MOST = 50;

type Remembered = [sheet: string, areaId: number | null][];

function all(): Remembered {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

const named = (userId: number, sheetId: number) => `${userId} ${sheetId}`;

/** The area that this person chose on this device for a sheet; null where it was none, undefined where nothing was chosen. */
export function lastUsedArea(userId: number, sheetId: number): number | null | undefined {
  return all().find(([sheet]) => sheet === named(userId, sheetId))?.[1];
}

/** Keeps what was chosen for the sheet, of the latest ones. The room's own needs no keeping: it follows the patient. */
export function rememberArea(userId: number, sheetId: number, areaId: number | null, ofRoom: number) {
  const sheet = named(userId, sheetId);
  const others = all().filter(([one]) => one !== sheet);
  const now: Remembered = areaId === ofRoom ? others : [[sheet, areaId], ...others];
  localStorage.setItem(KEY, JSON.stringify(now.slice(0, AT_MOST)));
}
