import { useFormat } from '@/i18n/useFormat';
import type { Person } from '@/scan/wristbands';
import { fullName } from '@/shared/records/fullName';
import classes from './ArrivalBand.module.css';

/** Show the scanned patient in a full-width band for a moment. */
export default function ArrivalBand({ person, onSeen }: { person: Person; onSeen: () => void }) {
  const format = useFormat();
  const { date_of_birth, record_number, sheets } = person;
  const facts = [sheets[0]?.room.name, date_of_birth && format.age(date_of_birth), record_number];
  return (
    <div className={classes.band} role="status" onAnimationEnd={onSeen}>
      <b>{fullName(person)}</b>
      <span>{facts.filter(Boolean).join(' · ')}</span>
    </div>
  );
}
