import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { RawIntlProvider } from 'react-intl';
import { type Language, rememberLanguage } from './language';
import { currentLanguage, loadMessages, onLanguageChange } from './messages';

export function LanguageProvider({ children }: { children: ReactNode }) {
  const { language, intl } = useSyncExternalStore(onLanguageChange, currentLanguage);

  // The API client reads the language off the document, so server messages follow the screen.
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = intl.formatMessage({ id: 'language.direction' });
  }, [language, intl]);

  return <RawIntlProvider value={intl}>{children}</RawIntlProvider>;
}

export function useLanguage() {
  const { language } = useSyncExternalStore(onLanguageChange, currentLanguage);
  return { language, setLanguage };
}

async function setLanguage(language: Language) {
  await loadMessages(language);
  rememberLanguage(language);
}
