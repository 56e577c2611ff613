import { Badge, Group } from '@mantine/core';
import '@mantine/core/styles/Badge.css';
import type { PatientView } from '@/api/generated';
import { useText } from '@/i18n/useText';

/** What sets a patient apart from most: open sheets, or being inactive. */
export function PatientState({ patient }: { patient: PatientView }) {
  const t = useText();
  const open = patient.open_sheets > 0;
  if (!open && patient.active === 1) return null;
  return (
    <Group component="span" gap="xs" display="inline-flex">
      {open && (
        <Badge variant="light" size="lg" tt="none" fw={550} miw="max-content">
          {t('patients.hasOpenSheets', { count: patient.open_sheets })}
        </Badge>
      )}
      {patient.active === 0 && (
        <Badge variant="light" color="gray" size="lg" tt="none" fw={550} miw="max-content">
          {t('patients.isInactive')}
        </Badge>
      )}
    </Group>
  );
}
