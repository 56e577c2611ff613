import type es from './es.json';
import type later from './later/es.json';

export type Language = 'es' | 'en';
/** Texts of pages that few users open: they are loaded with these pages. */
type LaterId = keyof typeof later;
export type MessageId = keyof typeof es | LaterId;
/** A catalogue that lacks a message does not compile. */
export type Messages = Record<keyof typeof es, string>;
export type LaterMessages = Record<LaterId, string>;

export const loadTexts: Record<Language, () => Promise<{ default: Messages }>> = {
  es: () => import('./es.json'),
  en: () => import('./en.json'),
};

export const loadLater: Record<Language, () => Promise<{ default: LaterMessages }>> = {
  es: () => import('./later/es.json'),
  en: () => import('./later/en.json'),
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
