interface Person {
  name: string;
  first_surname: string;
  second_surname?: string | null;
}

/** Return the full name as registered: given names, then surnames. */
export function fullName({ name, first_surname, second_surname }: Person) {
  return [name, first_surname, second_surname].filter(Boolean).join(' ');
}

/** Return a short name such as `J. L. Peña`, for places with little room. */
export function shortName({ name, first_surname }: Person) {
  const initials = name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${[...word][0]}.`);
  return [...initials, first_surname].join(' ');
}
