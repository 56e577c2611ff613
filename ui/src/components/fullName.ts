interface Person {
  name: string;
  first_surname: string;
  second_surname?: string | null;
}

export function fullName({ name, first_surname, second_surname }: Person) {
  return [name, first_surname, second_surname].filter(Boolean).join(' ');
}

/** As in a list that is ordered by surnames. */
export function surnamesFirst({ name, first_surname, second_surname }: Person) {
  return `${[first_surname, second_surname].filter(Boolean).join(' ')}, ${name}`;
}
