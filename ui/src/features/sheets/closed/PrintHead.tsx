import { type SheetView, useReadPatientQuery } from '@/api/generated';
import { fullName } from '@/components/people/fullName';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './PrintHead.module.css';

/**
 * Print the patient and the room at the top of every page.
 *
 * Screens show `PatientBanner`.
 */
export function PrintHead({ sheet }: { sheet: SheetView }) {
  const t = useText();
  const format = useFormat();
  const { data: patient } = useReadPatientQuery({ patientId: sheet.patient_id });
  const recordNumber = patient?.record_number ?? sheet.patient.record_number;
  const born = patient?.date_of_birth;
  const facts = [
    recordNumber && `${t('person.recordNumber')}: ${recordNumber}`,
    born && `${t('person.dateOfBirth')}: ${format.day(born)} (${format.age(born)})`,
    `${t('sheets.room')}: ${sheet.room.name}`,
  ];
  return (
    <div className={classes.head} aria-hidden>
      <b>{fullName(sheet.patient)}</b>
      <div>{facts.filter(Boolean).join(' · ')}</div>
    </div>
  );
}
