import { useFormat } from '@/i18n/useFormat';
import classes from './ArrivalBand.module.css';
import type { Person } from './recorder';

/** Say over the whole width whose page this is now, for a moment. */
export default function ArrivalBand({ person, onSeen }: { person: Person; onSeen: () => void }) {
  const format = useFormat();
  const { name, date_of_birth, record_number, sheets } = person;
  const facts = [sheets[0]?.room, date_of_birth && format.age(date_of_birth), record_number];
  return (
    <div className={classes.band} role="status" onAnimationEnd={onSeen}>
      <b>{name}</b>
      <span>{facts.filter(Boolean).join(' · ')}</span>
    </div>
  );
}
