import { ActionIcon } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useLanguage } from '@/i18n/LanguageProvider';
import { manualFolder } from '@/i18n/manualFolder';
import { useText } from '@/i18n/useText';

/** The manual's page that leads to the page of a screen. */
const pageOfScreens = (language: string) => `${manualFolder(language)}/screen`;

/** Open the manual's page about this screen in another tab. */
export const openHelp = (language: string) =>
  void window.open(`${pageOfScreens(language)}#${window.location.pathname}`, '_blank', 'noopener');

interface Props {
  /** The screen, if its address does not say it. */
  screen?: string;
  className?: string;
}

/**
 * Link to the manual's page about this screen, in another tab.
 *
 * The screen is the fragment of the address: browsers send it to no server. The manual knows which page is about it.
 */
export function HelpButton({ screen, className }: Props) {
  const t = useText();
  const { language } = useLanguage();
  return (
    <ActionIcon
      component="a"
      href={pageOfScreens(language)}
      target="_blank"
      className={className}
      aria-label={t('help.screen')}
      title={t('help.screen')}
      onClick={(event) => {
        event.currentTarget.hash = screen ?? window.location.pathname;
      }}
    >
      <IconHelp size={20} aria-hidden />
    </ActionIcon>
  );
}
