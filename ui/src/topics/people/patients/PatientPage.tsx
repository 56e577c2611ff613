import { Button, Stack } from '@mantine/core';
import { IconArrowMerge, IconClipboardPlus, IconEye, IconUserQuestion } from '@tabler/icons-react';
import { Link, Navigate, useLocation, useParams, useSearchParams } from 'react-router-dom';
import { type SheetView, useListSheetsQuery, useReadPatientQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { LinkList } from '@/shared/lists/LinkList';
import { fullName } from '@/shared/records/fullName';
import { closedPageOf, detailsOf } from '@/shared/records/sheetAddresses';
import { DescriptionItem } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { RecordCard } from '@/shared/ui/RecordCard';
import { StatusBadge } from '@/shared/ui/StatusBadge';
import { PrintLabelsButton } from '@/topics/printing/PrintLabelsButton';
import { DateOfBirth } from '../DateOfBirth';
import { MergedFromNotice, MergedNotice, MergedNowNotice } from './MergedNotice';

/** Show one patient with all of the patient's sheets. */
export default function PatientPage() {
  const patientId = Number(useParams().id);
  const t = useText();
  const format = useFormat();
  const mayEdit = useCan('patients.save');
  const mayOpen = useCan('sheets.open');
  const mayMerge = useCan('patients.merge');
  const mayReadReaders = useCan('patients.readers');
  const staysHere = useSearchParams()[0].has('merged');
  const { mergedFrom, mergedNow } = (useLocation().state ?? {}) as {
    mergedFrom?: number;
    mergedNow?: number;
  };
  const read = useReadPatientQuery({ patientId });
  const open = useListSheetsQuery({ patientId, limit: 100 });
  const closed = useListSheetsQuery({ patientId, closed: true, limit: 100 });
  throwOnError(read);
  throwOnError(open);
  throwOnError(closed);
  const patient = read.currentData;
  if (!patient || !open.currentData || !closed.currentData) return <PageLoader />;

  const { merged_into: into } = patient;
  if (into !== null && !staysHere)
    return <Navigate to={`/patients/${into}`} state={{ mergedFrom: patientId }} replace />;
  const admission = ({ admission_date, room }: SheetView) =>
    t('patients.admission', { day: format.day(admission_date), room: room.name });
  return (
    <Stack gap="md">
      {into !== null && <MergedNotice patient={patient} into={into} />}
      {mergedNow && <MergedNowNotice patientId={mergedNow} />}
      {mergedFrom && <MergedFromNotice patientId={mergedFrom} />}
      <RecordCard
        name={fullName(patient)}
        edit={mayEdit && into === null ? `/patients/${patientId}/edit` : undefined}
        actions={
          <>
            {mayEdit && patient.unidentified && (
              <Button
                component={Link}
                to={`/patients/${patientId}/identify`}
                leftSection={<IconUserQuestion size={20} aria-hidden />}
              >
                {t('unidentified.identify')}
              </Button>
            )}
            {into === null && (
              <PrintLabelsButton short what="patient" items={[{ id: patientId, name: fullName(patient) }]} />
            )}
            {mayReadReaders && (
              <Button
                component={Link}
                to={`/patients/${patientId}/readers`}
                variant="default"
                leftSection={<IconEye size={20} aria-hidden />}
              >
                {t('readers.title')}
              </Button>
            )}
            {mayMerge && into === null && (
              <Button
                component={Link}
                to={`/patients/${patientId}/merge`}
                variant="default"
                leftSection={<IconArrowMerge size={20} aria-hidden />}
              >
                {t('merge.title')}
              </Button>
            )}
            {mayOpen && patient.active === 1 && (
              <Button
                component={Link}
                variant={patient.unidentified ? 'default' : 'filled'}
                to={`/consumption-sheets/create?patient=${patientId}`}
                leftSection={<IconClipboardPlus size={20} aria-hidden />}
              >
                {t('sheets.open')}
              </Button>
            )}
          </>
        }
      >
        <DescriptionItem name={t('person.recordNumber')}>{patient.record_number}</DescriptionItem>
        <DescriptionItem name={t('person.dateOfBirth')}>
          {patient.date_of_birth && <DateOfBirth on={patient.date_of_birth} />}
        </DescriptionItem>
        <DescriptionItem name={t('patients.state')}>
          {patient.unidentified && (
            <>
              <StatusBadge is="patient.unidentified">{t('unidentified.mark')}</StatusBadge>{' '}
            </>
          )}
          <StatusBadge is={patient.active === 1 ? 'active' : 'inactive'}>
            {t(
              into !== null
                ? 'patients.isMerged'
                : patient.active === 1
                  ? 'patients.isActive'
                  : 'patients.inactiveHint',
            )}
          </StatusBadge>
        </DescriptionItem>
      </RecordCard>
      <LinkList
        title="patients.openSheets"
        none="patients.noOpenSheets"
        answer={open}
        link={(sheet) => ({
          to: detailsOf(sheet),
          name: admission(sheet),
          note: [sheet.doctor, sheet.diagnosis].filter(Boolean).join(' · '),
        })}
      />
      <LinkList
        title="patients.closedSheets"
        none="patients.noClosedSheets"
        more={`/consumption-sheets/closed?patient=${patientId}`}
        answer={closed}
        link={(sheet) => ({
          to: closedPageOf(sheet),
          name: admission(sheet),
          note: [
            sheet.deleted_at && t('patients.closedOn', { day: format.day(format.dayOf(sheet.deleted_at)) }),
            sheet.total !== undefined && format.money(sheet.total),
          ]
            .filter(Boolean)
            .join(' · '),
        })}
      />
    </Stack>
  );
}
