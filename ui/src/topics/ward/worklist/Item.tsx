import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { PersonView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSheetName } from '@/shared/records/useSheetName';
import { ClampedText } from '@/shared/ui/ClampedText';
import { StatusBadge } from '@/shared/ui/StatusBadge';
import classes from './worklist.module.css';

interface Props {
  /** The address of the line or record, if there is one. */
  to?: string;
  patient?: PersonView | null;
  /** The area, if it is about what that uses for no patient. */
  area?: { name: string };
  /** Who it is about, instead of a patient. */
  who?: string;
  /** The room of the patient, or where that person works. */
  room?: string | null;
  closed?: boolean;
  /** What waits, in one sentence. */
  children: ReactNode;
  /** Since when, and by whom. */
  since?: string;
  plot?: ReactNode;
  buttons?: ReactNode;
}

/** A row of the worklist: patient and bed, what waits, and its buttons. */
export function Item({ to, patient, area, who, room, closed, children, since, plot, buttons }: Props) {
  const t = useText();
  const sheetName = useSheetName();
  const name = patient || area ? sheetName({ patient: patient ?? null, area }) : who;
  const content = (
    <>
      {name && (
        <ClampedText className={classes.patient}>
          <span>{name}</span> <span className={classes.room}>{room}</span>
        </ClampedText>
      )}
      <span>{children}</span>
      {(since || closed) && (
        <span className={classes.note}>
          <span>{since}</span> {closed && <StatusBadge is="sheet.closed">{t('details.closed')}</StatusBadge>}
        </span>
      )}
    </>
  );
  return (
    <li className={classes.item}>
      {to ? (
        <Link to={to} className={classes.what}>
          {content}
        </Link>
      ) : (
        <div className={classes.text}>{content}</div>
      )}
      {plot && <div className={classes.plot}>{plot}</div>}
      {buttons && <div className={classes.buttons}>{buttons}</div>}
    </li>
  );
}
