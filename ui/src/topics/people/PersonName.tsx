import classes from './PersonName.module.css';

interface Props {
  person: { name: string; first_surname: string; second_surname?: string | null };
}

/** Like `fullName`, for lists sorted by surname: the surnames stand out. */
export function PersonName({ person: { name, first_surname, second_surname } }: Props) {
  return (
    <>
      <span className={classes.given}>{name}</span>{' '}
      <span>{[first_surname, second_surname].filter(Boolean).join(' ')}</span>
    </>
  );
}
