import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { RawIntlProvider } from 'react-intl';
import { useDispatch, useSelector } from 'react-redux';
import { api } from '@/api/base';
import { generatedSignIn } from '@/api/generatedSignIn';
import { type Language, rememberLanguage } from './language';
import { currentLanguage, loadMessages, onLanguageChange, writeNumbersAs } from './messages';

const selectSettings = generatedSignIn.endpoints.readSettings.select();

export function LanguageProvider({ children }: { children: ReactNode }) {
  const { intl } = useSyncExternalStore(onLanguageChange, currentLanguage);
  const writes = useSelector(selectSettings).data?.number_format;
  useEffect(() => writeNumbersAs(writes), [writes]);
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
