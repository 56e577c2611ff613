import type { ProductLookupView } from '@/api/generated';

export type Person = ProductLookupView['people'][number];
type OpenSheet = Person['sheets'][number] & { person: Person };

/**
 * Return the open sheets of a wristband.
 *
 * That is the one with its visit number, or else all of its patient.
 */
export function sheetsOf(people: Person[]): OpenSheet[] {
  return people.flatMap((person) => {
    const visited = person.sheets.filter(({ id }) => id === person.sheet_id);
    return (visited.length > 0 ? visited : person.sheets).map((sheet) => ({ ...sheet, person }));
  });
}
