import { useCallback } from 'react';
import { useText } from '@/i18n/useText';
import { fullName } from './fullName';

type Person = Parameters<typeof fullName>[0];

/** Return a function that names a sheet in a list: by its patient, or as what an area uses for none. */
export function useSheetName() {
  const t = useText();
  return useCallback(
    ({ patient, area }: { patient: Person | null; area?: { name: string } | null }) =>
      patient ? fullName(patient) : t('area.of', { area: area?.name ?? '' }),
    [t],
  );
}
