import { Fragment } from 'react';
import type { SheetView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { fullName } from '@/shared/records/fullName';
import type { Subject } from '@/shared/records/subject';
import classes from './SheetBand.module.css';

interface IdentityProps {
  patient: SheetView['patient'];
}

/** The age and record number, to distinguish patients of the same name; or the mark of an unidentified one. */
export function PatientIdentity({ patient }: IdentityProps) {
  const { date_of_birth: born, record_number } = patient;
  const t = useText();
  const format = useFormat();
  const facts = [born && format.age(born), record_number].filter(Boolean);
  if (facts.length === 0 && !patient.unidentified) return null;
  return (
    <span className={classes.identity}>
      {patient.unidentified && <span className={classes.unidentified}>{t('unidentified.mark')}</span>}
      {facts.map((fact, place) => (
        <Fragment key={fact}>
          <span className={classes.fact}>{place < facts.length - 1 ? `${fact} ·` : fact}</span>{' '}
        </Fragment>
      ))}
    </span>
  );
}

interface Props {
  sheet: Subject;
}

/**
 * What the lines of a dialog are recorded on.
 *
 * The patient with full name, age, record number, room and admission; or the area, marked as no patient.
 */
export function SheetBand({ sheet }: Props) {
  const t = useText();
  const format = useFormat();
  if ('area' in sheet)
    return (
      // biome-ignore lint/a11y/useSemanticElements: it contains no fields.
      <div className={`${classes.band} ${classes.area}`} role="group" aria-label={t('area.title')}>
        <b className={classes.name}>{t('area.of', { area: sheet.area.name })}</b>
        <div>{t('area.ofNone')}</div>
      </div>
    );
  const { patient, room, admission_date } = sheet;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it contains no fields.
    <div className={classes.band} role="group" aria-label={t('sheets.patient')}>
      <div className={classes.person}>
        <b className={classes.name}>{fullName(patient)}</b> <PatientIdentity patient={patient} />
      </div>
      <div>
        <b className={classes.room}>{room.name}</b>{' '}
        <span>{`· ${t('details.admittedOn', { day: format.day(admission_date) })}`}</span>
      </div>
    </div>
  );
}
