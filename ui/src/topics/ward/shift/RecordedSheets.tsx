import { Link } from 'react-router-dom';
import type { ShiftSheetView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { pageOf } from '@/shared/records/sheetAddresses';
import { useSheetName } from '@/shared/records/useSheetName';
import { EmptyState } from '@/shared/ui/EmptyState';
import { StatusBadge } from '@/shared/ui/StatusBadge';
import classes from './shift.module.css';

/** The patients and areas for which the user recorded, in the order of the beds; each opens the sheet. */
export function RecordedSheets({ sheets }: { sheets: ShiftSheetView[] }) {
  const t = useText();
  const format = useFormat();
  const sheetName = useSheetName();
  if (sheets.length === 0) return <EmptyState title={t('shift.none')} />;
  return (
    <ul className={classes.list}>
      {sheets.map((sheet) => {
        const { id, closed, patient, room, lines, units, last_recorded_at: last } = sheet;
        const born = patient?.date_of_birth;
        const identity = [born && format.age(born), patient?.record_number].filter(Boolean).join(' · ');
        return (
          <li key={id}>
            <Link to={pageOf(sheet)} className={classes.sheet}>
              <span className={classes.room}>{room}</span>
              <span className={classes.patient}>
                <span className={classes.name}>{sheetName(sheet)}</span>{' '}
                {identity && <span className={classes.note}>{identity}</span>}{' '}
                {closed && <StatusBadge is="sheet.closed">{t('details.closed')}</StatusBadge>}
              </span>
              <span className={classes.sums}>
                <b>{t('sheets.recorded', { count: lines })}</b>{' '}
                <span className={classes.note}>
                  {`${t('shift.units', { units: format.quantity(units), count: units })} · ${t('shift.lastAt', { time: format.time(last) })}`}
                </span>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
