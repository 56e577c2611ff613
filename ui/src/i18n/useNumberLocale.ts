import { useIntl } from 'react-intl';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { regionOf } from './language';

const LOCALES: Record<string, string> = { comma: regionOf.es, point: regionOf.en };

/** The locale by whose marks numbers are typed and shown: the hospital's, or else that of the language. */
export function useNumberLocale() {
  const { locale } = useIntl();
  const { data: settings } = useReadSettingsQuery();
  return LOCALES[settings?.number_format ?? ''] ?? locale;
}
