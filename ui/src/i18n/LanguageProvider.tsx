import { type ReactNode, useSyncExternalStore } from 'react';
import { RawIntlProvider } from 'react-intl';
import { useDispatch } from 'react-redux';
import { api } from '@/api/base';
import { type Language, rememberLanguage } from './language';
import { currentLanguage, loadMessages, onLanguageChange } from './messages';

export function LanguageProvider({ children }: { children: ReactNode }) {
  const { intl } = useSyncExternalStore(onLanguageChange, currentLanguage);
  return <RawIntlProvider value={intl}>{children}</RawIntlProvider>;
}

export function useLanguage() {
  const { language } = useSyncExternalStore(onLanguageChange, currentLanguage);
  const dispatch = useDispatch();
  const setLanguage = async (language: Language) => {
    await loadMessages(language);
    rememberLanguage(language);
    // What the server worded.
    dispatch(api.util.invalidateTags(['Words']));
  };
  return { language, setLanguage };
}
