import { createIntl, type IntlShape } from 'react-intl';
import {
  type Language,
  type LaterMessages,
  loadLater,
  loadTexts,
  type MessageId,
  type Messages,
  rememberedLanguage,
} from './language';
import { withMarks } from './numberMarks';

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
/** Whether a page needs the later texts, and the end of loading them. */
let needsLater = false;
let laterLoaded: Promise<void> | null = null;
// Nothing is shown before the first catalogue is here.
let current: { language: Language; intl: IntlShape } = {
  language: wanted,
  intl: intlOf({} as Messages),
};

function intlOf(messages: Messages & Partial<LaterMessages>) {
  // Otherwise a missing text would go unnoticed in a build.
  const onError = (error: unknown) => window.reportError(error);
  const intl = createIntl({ locale: 'en', messages: messages as Messages & LaterMessages, onError });
  // Ecuador writes 1.234,50 and $, the United States 1,234.50: `es` alone leaves four digits ungrouped.
  const locale = messages['language.locale'] && intl.formatMessage({ id: 'language.locale' });
  return locale ? createIntl({ ...intl, locale }) : intl;
}

/** Say everything in this language, as soon as its messages are here. */
export async function loadMessages(language: Language) {
  wanted = language;
  const [{ default: messages }, more] = await Promise.all([
    loadTexts(language),
    needsLater ? loadLater(language) : null,
  ]);
  if (language !== wanted) return; // another one was asked for meanwhile
  current = { language, intl: intlOf({ ...messages, ...more?.default }) };
  // The API client reads the language off the document, so that what the server words follows the screen.
  document.documentElement.lang = language;
  document.documentElement.dir = text('language.direction');
  for (const listener of listeners) listener();
}

/** Load the texts of a page that few users open, before it is shown. */
export function loadLaterMessages(): Promise<void> {
  needsLater = true;
  // A page that opens meanwhile waits for the same texts.
  laterLoaded ??= loadWanted().catch((error) => {
    needsLater = false;
    laterLoaded = null;
    throw error;
  });
  return laterLoaded;
}

/** Load a part with the texts that are not loaded with the others. */
export const withLaterTexts =
  <Part>(load: () => Promise<Part>) =>
  async () =>
    (await Promise.all([load(), loadLaterMessages()]))[0];

/** Load the texts of the language, which may be changed meanwhile. */
async function loadWanted() {
  do await loadMessages(wanted);
  while (current.language !== wanted);
}

let numberFormat: string | undefined;

/** Write the numbers in texts as the hospital does, as `useFormat` writes all others. */
export function writeNumbersAs(format: string | undefined) {
  if (format === numberFormat) return;
  numberFormat = format;
  current = { ...current, intl: { ...current.intl } };
  for (const listener of listeners) listener();
}

/** Return a text with its values. */
export function translate(
  intl: IntlShape,
  id: MessageId,
  values: Record<string, string | number> | undefined,
): string {
  const { formatters } = intl;
  const getNumberFormat = (...asked: Parameters<typeof formatters.getNumberFormat>) => {
    const written = formatters.getNumberFormat(...asked);
    const format = (value: number) =>
      withMarks(written.formatToParts(value), numberFormat)
        .map((part) => part.value)
        .join('');
    return { format } as Intl.NumberFormat;
  };
  return intl.formatMessage({ id }, values, { formatters: { ...formatters, getNumberFormat } });
}

/** The language of this moment, as `useSyncExternalStore` takes it. */
export const currentLanguage = () => current;
export function onLanguageChange(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export type Translate = (id: MessageId, values?: Record<string, string | number>) => string;

/** Return a text outside of components; inside one, `useText` follows the language. */
export const text: Translate = (id, values) => translate(current.intl, id, values);
