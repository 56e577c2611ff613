interface Named {
  id: number;
  name: string;
}

const folded = (name: string) => name.trim().toLocaleLowerCase();

/**
 * Return a function that says if another item has the same name.
 *
 * The code of such an item is as important as its name.
 */
export function duplicateNames(things: Named[]) {
  const ids = new Map<string, Set<number>>();
  for (const { id, name } of things) {
    const those = ids.get(folded(name)) ?? new Set();
    ids.set(folded(name), those.add(id));
  }
  return ({ name }: Pick<Named, 'name'>) => (ids.get(folded(name))?.size ?? 0) > 1;
}
