import { Button } from '@mantine/core';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { Link } from 'react-router-dom';
import { useReadPatientQuery } from '@/api/generated';
import { fullName } from '@/components/fullName';
import type { ListState } from '@/components/useListState';
import { useText } from '@/i18n/useText';

/** Says that the list is of one patient's sheets alone, and leads back to all of them. */
export function OfPatient({ list, patientId }: { list: ListState; patientId: number }) {
  const t = useText();
  const { currentData: patient } = useReadPatientQuery({ patientId });
  return (
    <Button
      component={Link}
      to={list.hrefWith({ patient: undefined })}
      variant="light"
      rightSection={<IconX size={18} aria-hidden />}
      title={t('sheets.ofEverybody')}
    >
      {t('sheets.ofPatient', { patient: patient ? fullName(patient) : '' })}
    </Button>
  );
}
