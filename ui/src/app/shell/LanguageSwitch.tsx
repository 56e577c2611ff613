import { Button } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { useLanguage } from '@/i18n/LanguageProvider';
import { LANGUAGES, ownName } from '@/i18n/language';

/**
 * Buttons for the other languages, each labelled in its language.
 *
 * Users who cannot read the current one will find theirs.
 */
export function LanguageSwitch() {
  const { language, setLanguage } = useLanguage();
  return LANGUAGES.filter((other) => other !== language).map((other) => (
    <Button
      key={other}
      variant="subtle"
      color="gray"
      leftSection={<IconLanguage size={20} aria-hidden />}
      lang={other}
      onClick={() => setLanguage(other)}
    >
      {ownName(other)}
    </Button>
  ));
}
