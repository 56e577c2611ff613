import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { IntlProvider } from 'react-intl';
import { type Language, loadMessages, regionOf, rememberLanguage } from './language';

interface LanguageChoice {
  language: Language;
  setLanguage: (language: Language) => void;
}

const Choice = createContext<LanguageChoice | null>(null);

interface Props {
  initial: { language: Language; messages: Record<string, string> };
  children: ReactNode;
}

export function LanguageProvider({ initial, children }: Props) {
  const [{ language, messages }, setSpoken] = useState(initial);

  // The API client reads the language off the document, so server messages follow the screen.
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  const choice = useMemo<LanguageChoice>(
    () => ({
      language,
      setLanguage: async (next) => {
        const nextMessages = await loadMessages(next);
        rememberLanguage(next);
        setSpoken({ language: next, messages: nextMessages });
      },
    }),
    [language],
  );

  return (
    <Choice.Provider value={choice}>
      <IntlProvider locale={regionOf[language]} messages={messages}>
        {children}
      </IntlProvider>
    </Choice.Provider>
  );
}

export function useLanguage(): LanguageChoice {
  const choice = useContext(Choice);
  if (!choice) throw new Error('useLanguage needs a LanguageProvider above it.');
  return choice;
}
