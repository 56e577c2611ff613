import { useIntl } from 'react-intl';
import { useReadSettingsQuery } from '@/api/generatedSignIn';

const LOCALES: Record<string, string> = { comma: 'es-EC', point: 'en-US' };

/** The locale by whose marks numbers are typed and shown: the hospital's, or else that of the language. */
export function useNumberLocale() {
  const { locale } = useIntl();
  const { data: settings } = useReadSettingsQuery();
  return LOCALES[settings?.number_format ?? ''] ?? locale;
}
