import type es from './es.json';

export type Language = 'es' | 'en';
export type MessageId = keyof typeof es;
/** A catalogue that lacks a message does not compile. */
export type Messages = Record<MessageId, string>;

export const loadTexts: Record<Language, () => Promise<{ default: Messages }>> = {
  es: () => import('./es.json'),
  en: () => import('./en.json'),
};

/** Ecuador writes 1.234,50 and $, the United States 1,234.50: `es` alone leaves four digits ungrouped. */
export const regionOf: Record<Language, string> = { es: 'es-EC', en: 'en-US' };

const KEY = 'language';

export function rememberedLanguage(): Language {
  return localStorage.getItem(KEY) === 'en' ? 'en' : 'es';
}

export function rememberLanguage(language: Language) {
  localStorage.setItem(KEY, language);
}
