import { Alert, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { type PatientView, useListPatientsQuery } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { codeKey, foldPerson } from '@/i18n/fold';
import { useText } from '@/i18n/useText';
import { fullName } from '@/shared/records/fullName';
import type { PatientValues } from './PatientFields';
import { usePatientWarning } from './usePatientWarning';

interface Props {
  /** The patient being registered. */
  values: PatientValues;
  /** False after saving: the new patient is not its own duplicate. */
  looking: boolean;
  /** What to do with the existing patient. */
  action: (patient: PatientView) => ReactNode;
}

/**
 * Warn of possible duplicates while a patient is being registered.
 *
 * It does not prevent saving.
 */
export function PossibleDuplicates({ values, looking, action }: Props) {
  const t = useText();
  const note = usePatientWarning();
  const [typed] = useDebouncedValue(values, 400);
  const isNamed = Boolean(typed.name.trim() && typed.first_surname.trim());
  const record = codeKey(typed.record_number);
  // The server ranks a matching beginning of the name, or an exact record number, first.
  const named = useListPatientsQuery(
    { q: `${typed.name} ${typed.first_surname}`.trim(), limit: OPTIONS_LIMIT },
    { skip: !looking || !isNamed },
  );
  const numbered = useListPatientsQuery(
    { q: typed.record_number.trim(), limit: OPTIONS_LIMIT },
    { skip: !looking || !record },
  );
  const same = [
    ...(record ? listed(numbered).filter((patient) => codeKey(patient.record_number ?? '') === record) : []),
    ...(isNamed ? listed(named).filter((patient) => isNamesake(patient, typed)) : []),
  ].filter((patient, at, all) => all.findIndex(({ id }) => id === patient.id) === at);
  return (
    <div role="status">
      {looking && same.length > 0 && (
        <Alert color="yellow">
          <Stack gap="xs">
            <Text>{t('patients.same')}</Text>
            {same.slice(0, MAX_SHOWN).map((patient) => (
              <Group key={patient.id} justify="space-between" gap="xs">
                <Stack gap={0} flex="1 1 12rem">
                  <Text fw={600}>{fullName(patient)}</Text>
                  <Text size="sm">
                    {[note(patient), patient.active === 0 && t('patients.isInactive')]
                      .filter(Boolean)
                      .join(' · ')}
                  </Text>
                </Stack>
                {action(patient)}
              </Group>
            ))}
          </Stack>
        </Alert>
      )}
    </div>
  );
}

const MAX_SHOWN = 3;

const listed = ({ currentData }: { currentData?: { items: PatientView[] } }) => currentData?.items ?? [];

/**
 * Return whether the names match, however the surnames are split.
 *
 * A second surname on one side only is ignored.
 */
function isNamesake(patient: PatientView, typed: PatientValues) {
  const [one, other] = [patient, typed].map(({ name, first_surname, second_surname }) => ({
    first: foldPerson(`${name} ${first_surname}`),
    second: foldPerson(second_surname ?? ''),
    all: foldPerson(`${name} ${first_surname} ${second_surname ?? ''}`),
  })) as [Names, Names];
  const isAlike = one.first === other.first && (!one.second || !other.second || one.second === other.second);
  return isAlike || one.all === other.all;
}

type Names = Record<'first' | 'second' | 'all', string>;
