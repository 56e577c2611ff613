interface Named {
  id: number;
  name: string;
}

const folded = (name: string) => name.trim().toLocaleLowerCase();

/** Tells of a thing whether another one of the list is called the same: then its code counts as much as its name. */
export function duplicateNames(things: Named[]) {
  const ids = new Map<string, Set<number>>();
  for (const { id, name } of things) {
    const those = ids.get(folded(name)) ?? new Set();
    ids.set(folded(name), those.add(id));
  }
  return ({ name }: Pick<Named, 'name'>) => (ids.get(folded(name))?.size ?? 0) > 1;
}
