import type { ProductLookupView } from '@/api/generated';

export type Person = ProductLookupView['people'][number];
type OpenSheet = Person['sheets'][number] & { person: Person };

/** Return the open sheets that a wristband means: the one whose visit number it is, or all of its patient's. */
export function sheetsOf(people: Person[]): OpenSheet[] {
  return people.flatMap((person) => {
    const visited = person.sheets.filter(({ id }) => id === person.sheet_id);
    return (visited.length > 0 ? visited : person.sheets).map((sheet) => ({ ...sheet, person }));
  });
}
