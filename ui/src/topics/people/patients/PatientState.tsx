import { Group } from '@mantine/core';
import type { PatientView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { StatusBadge } from '@/shared/ui/StatusBadge';

/** Mark patients with open sheets, and inactive ones. */
export function PatientState({ patient }: { patient: PatientView }) {
  const t = useText();
  const open = patient.open_sheets > 0;
  if (!open && patient.active === 1 && !patient.unidentified) return null;
  return (
    <Group component="span" gap="xs" display="inline-flex">
      {patient.unidentified && <StatusBadge is="patient.unidentified">{t('unidentified.mark')}</StatusBadge>}
      {open && (
        <StatusBadge is="sheet.open">
          {t('patients.hasOpenSheets', { count: patient.open_sheets })}
        </StatusBadge>
      )}
      {patient.active === 0 && (
        <StatusBadge is="inactive">
          {t(patient.merged_into === null ? 'patients.isInactive' : 'patients.isMerged')}
        </StatusBadge>
      )}
    </Group>
  );
}
