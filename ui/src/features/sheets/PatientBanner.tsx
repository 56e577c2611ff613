import { Anchor, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type SheetView, useReadPatientQuery } from '@/api/generated';
import { Born } from '@/components/Born';
import { Fact, Facts } from '@/components/Facts';
import { fullName } from '@/components/fullName';
import { useEarlierRooms } from '@/components/useEarlierRooms';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './PatientBanner.module.css';

/** Whose sheet this is: enough to tell the patient from every other one before something is recorded or read. */
export function PatientBanner({ sheet, children }: { sheet: SheetView; children?: ReactNode }) {
  const t = useText();
  const format = useFormat();
  const earlier = useEarlierRooms(sheet);
  const { data: patient } = useReadPatientQuery({ patientId: sheet.patient_id });
  return (
    <Paper withBorder component="section" className={classes.banner} aria-label={t('sheets.patient')}>
      <Title order={2} fz="xl">
        <Anchor component={Link} to={`/patients/${sheet.patient_id}`} inherit c="inherit">
          {fullName(sheet.patient)}
        </Anchor>
      </Title>
      <Facts>
        <Fact name={t('person.recordNumber')}>{patient?.record_number}</Fact>
        <Fact name={t('person.dateOfBirth')}>
          {patient?.date_of_birth && <Born on={patient.date_of_birth} />}
        </Fact>
        <Fact name={t('sheets.room')} wide={earlier !== ''}>
          {`${earlier}${sheet.room.name}`}
        </Fact>
        <Fact name={t('sheets.admissionDate')}>{format.day(sheet.admission_date)}</Fact>
        {children}
        <Fact name={t('sheets.doctor')}>{sheet.doctor}</Fact>
        <Fact name={t('sheets.diagnosis')} wide>
          {sheet.diagnosis}
        </Fact>
      </Facts>
    </Paper>
  );
}
