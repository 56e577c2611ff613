import { deviceStorage } from '@/state/storage';
import type es from './es.json';
import type laterTexts from './later/es.json';

/** The name of a file of this folder, without its ending. */
export type Language = string;
/** Texts of pages that few users open: they are loaded with these pages. */
type LaterId = keyof typeof laterTexts;
export type MessageId = keyof typeof es | LaterId;
export type Messages = Record<keyof typeof es, string>;
export type LaterMessages = Record<LaterId, string>;

type Load<Texts> = () => Promise<{ default: Texts }>;
// Each file is a language. `checks/messages.mjs` compares them with the default one.
const texts = import.meta.glob<{ default: Messages }>('./*.json');
const later = import.meta.glob<{ default: LaterMessages }>('./later/*.json');

const DEFAULT: Language = 'es';
export const LANGUAGES: Language[] = Object.keys(texts).map((file) => file.slice(2, -5));
export const loadTexts = (language: Language) => (texts[`./${language}.json`] as Load<Messages>)();
export const loadLater = (language: Language) => (later[`./later/${language}.json`] as Load<LaterMessages>)();

/** Return what the language calls itself: `Español`. */
export function ownName(language: Language) {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

const KEY = 'language';

export function rememberedLanguage(): Language {
  const remembered = deviceStorage.getItem(KEY) ?? DEFAULT;
  return LANGUAGES.includes(remembered) ? remembered : DEFAULT;
}

export function rememberLanguage(language: Language) {
  deviceStorage.setItem(KEY, language);
}
