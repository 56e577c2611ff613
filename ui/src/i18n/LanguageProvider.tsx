import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { IntlProvider } from 'react-intl';
import { onSpoken, readSpoken, speak } from './catalogue';
import { type Language, regionOf, rememberLanguage } from './language';

export function LanguageProvider({ children }: { children: ReactNode }) {
  const { language, messages } = useSyncExternalStore(onSpoken, readSpoken);

  // The API client reads the language off the document, so server messages follow the screen.
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  return (
    // Otherwise a text that is missing would be told to nobody once this is built.
    <IntlProvider locale={regionOf[language]} messages={messages} onError={window.reportError}>
      {children}
    </IntlProvider>
  );
}

export function useLanguage() {
  return { language: useSyncExternalStore(onSpoken, readSpoken).language, setLanguage };
}

async function setLanguage(language: Language) {
  await speak(language);
  rememberLanguage(language);
}
