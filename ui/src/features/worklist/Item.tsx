import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { PersonView } from '@/api/generated';
import { fullName } from '@/components/people/fullName';
import { ClampedText } from '@/components/ui/ClampedText';
import { StatusBadge } from '@/components/ui/StatusBadge';
import { useText } from '@/i18n/useText';
import classes from './worklist.module.css';

interface Props {
  /** The address of the line or record. */
  to: string;
  patient?: PersonView;
  room?: string;
  closed?: boolean;
  /** What waits, in one sentence. */
  children: ReactNode;
  /** Since when, and by whom. */
  since?: string;
  plot?: ReactNode;
  buttons?: ReactNode;
}

/** A row of the worklist: patient and bed, what waits, and its buttons. */
export function Item({ to, patient, room, closed, children, since, plot, buttons }: Props) {
  const t = useText();
  return (
    <li className={classes.item}>
      <Link to={to} className={classes.what}>
        {patient && (
          <ClampedText className={classes.patient}>
            <span>{fullName(patient)}</span> <span className={classes.room}>{room}</span>
          </ClampedText>
        )}
        <span>{children}</span>
        {(since || closed) && (
          <span className={classes.note}>
            <span>{since}</span>{' '}
            {closed && <StatusBadge is="sheet.closed">{t('details.closed')}</StatusBadge>}
          </span>
        )}
      </Link>
      {plot && <div className={classes.plot}>{plot}</div>}
      {buttons && <div className={classes.buttons}>{buttons}</div>}
    </li>
  );
}
