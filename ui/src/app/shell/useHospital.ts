import { useEffect } from 'react';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { deviceStorage } from '@/state/storage';

interface Hospital {
  name: string | null;
  /** The address of the logo. */
  logo: string | null;
  /** Whether the data is that of the demonstration. */
  isDemonstration: boolean;
}

const KEY = 'hospital';
const UNKNOWN: Hospital = { name: null, logo: null, isDemonstration: false };

const remembered = (): Hospital => ({ ...UNKNOWN, ...deviceStorage.readJson<Hospital>(KEY) });

/** The hospital's name and logo, and whether it is fictional; until the server has answered, those of the last visit, so that nothing moves. */
export function useHospital(): Hospital {
  const { data } = useReadSettingsQuery();
  const hospital = data
    ? {
        name: data.hospital_name ?? null,
        logo: data.logo_version ? `/api/hospital/logo?version=${data.logo_version}` : null,
        isDemonstration: data.demonstration,
      }
    : remembered();
  const known = data && JSON.stringify(hospital);
  useEffect(() => {
    if (known) deviceStorage.setItem(KEY, known);
  }, [known]);
  return hospital;
}
