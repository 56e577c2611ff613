import { Anchor, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type SheetView, useReadPatientQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { fullName } from '@/shared/records/fullName';
import { DescriptionItem, DescriptionList } from '@/shared/ui/DescriptionList';
import { DateOfBirth } from '@/topics/people/DateOfBirth';
import { useEarlierRooms } from '../useEarlierRooms';
import classes from './PatientBanner.module.css';

/** Identify the patient unambiguously before something is recorded or read. */
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
      <DescriptionList>
        <DescriptionItem name={t('person.recordNumber')}>{patient?.record_number}</DescriptionItem>
        <DescriptionItem name={t('person.dateOfBirth')}>
          {patient?.date_of_birth && <DateOfBirth on={patient.date_of_birth} />}
        </DescriptionItem>
        <DescriptionItem name={t('sheets.room')} wide={earlier !== ''}>
          {`${earlier}${sheet.room.name}`}
        </DescriptionItem>
        <DescriptionItem name={t('sheets.admissionDate')}>{format.day(sheet.admission_date)}</DescriptionItem>
        {children}
        <DescriptionItem name={t('sheets.doctor')}>{sheet.doctor}</DescriptionItem>
        <DescriptionItem name={t('sheets.diagnosis')} wide>
          {sheet.diagnosis}
        </DescriptionItem>
      </DescriptionList>
    </Paper>
  );
}
