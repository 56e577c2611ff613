import { fullName } from '@/shared/records/fullName';
import type { Destination, Entry } from './queue';

/** Return the name of a patient and the room of the sheet: `Ofelia Zamudio · 203`. */
export function destinationName({ sheetId, person }: Destination): string {
  const room = person.sheets.find(({ id }) => id === sheetId)?.room.name;
  return [fullName(person), room].filter(Boolean).join(' · ');
}

/** Return the name of a scanned product, or the code while it is unknown. */
export function nameOfEntry({ code, answer, context }: Entry): string {
  const [match] = answer?.matches ?? [];
  const line = context as { values?: { product?: { name: string } | null } } | null;
  return match?.product.name ?? code?.trim() ?? line?.values?.product?.name ?? '';
}
