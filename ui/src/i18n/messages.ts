import { createIntl, type IntlShape } from 'react-intl';
import {
  type Language,
  loadTexts,
  type MessageId,
  type Messages,
  regionOf,
  rememberedLanguage,
} from './language';

declare global {
  namespace FormatjsIntl {
    /** Holds for all of react-intl, its components included. */
    interface Message {
      ids: MessageId;
    }
  }
}

const listeners = new Set<() => void>();
let wanted = rememberedLanguage();
// Nothing is shown before the first catalogue is here.
let current: { language: Language; intl: IntlShape } = {
  language: wanted,
  intl: intlOf(wanted, {} as Messages),
};

function intlOf(language: Language, messages: Messages) {
  // Otherwise a missing text would go unnoticed in a build.
  const onError = (error: unknown) => window.reportError(error);
  return createIntl({ locale: regionOf[language], messages, onError });
}

/** Say everything in this language, as soon as its messages are here. */
export async function loadMessages(language: Language) {
  wanted = language;
  const { default: messages } = await loadTexts[language]();
  if (language !== wanted) return; // another one was asked for meanwhile
  current = { language, intl: intlOf(language, messages) };
  for (const listener of listeners) listener();
}

/** The language of this moment, as `useSyncExternalStore` takes it. */
export const currentLanguage = () => current;
export function onLanguageChange(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export type Translate = (id: MessageId, values?: Record<string, string | number>) => string;

/** Return a text outside of components; inside one, `useText` follows the language. */
export const text: Translate = (id, values) => current.intl.formatMessage({ id }, values);
