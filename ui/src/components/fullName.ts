interface Person {
  name: string;
  first_surname: string;
  second_surname?: string | null;
}

/** What people are called everywhere: given names, then surnames, as the register has them. */
export function fullName({ name, first_surname, second_surname }: Person) {
  return [name, first_surname, second_surname].filter(Boolean).join(' ');
}

/** Where there is little room: `J. L. Peña`. */
export function shortName({ name, first_surname }: Person) {
  const initials = name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${[...word][0]}.`);
  return [...initials, first_surname].join(' ');
}
