import { Button } from '@mantine/core';
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs';
import { useLanguage } from '@/i18n/LanguageProvider';

/**
 * Button for the other language, labelled in that language.
 *
 * Users who cannot read the current one will find it.
 */
export function LanguageSwitch() {
  const { language, setLanguage } = useLanguage();
  const other = language === 'es' ? 'en' : 'es';
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconLanguage size={20} aria-hidden />}
      lang={other}
      onClick={() => setLanguage(other)}
    >
      {other === 'es' ? 'Español' : 'English'}
    </Button>
  );
}
