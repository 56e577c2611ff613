import englishLogin from './en.json?login';
import spanishLogin from './es.json?login';
import { type Language, rememberedLanguage, rememberLanguage } from './language';

/*
 * Each catalogue is one file that comes in parts; catalogueParts.ts sorts the messages by who uses them: what the login
 * says, what the shell and the details page say besides, and the rest.
 */
type Messages = Record<string, string>;
type Part = 'work' | 'rest';

const login: Record<Language, Messages> = { es: spanishLogin, en: englishLogin };

const load: Record<Language, Record<Part, () => Promise<{ default: Messages }>>> = {
  es: { work: () => import('./es.json?work'), rest: () => import('./es.json?rest') },
  en: { work: () => import('./en.json?work'), rest: () => import('./en.json?rest') },
};

const parts = new Set<Part>();
const listeners = new Set<() => void>();
let wanted = rememberedLanguage();
let spoken = { language: wanted, messages: login[wanted], parts: 0 };

/** Wait until the messages of these parts can be said. */
export async function learn(...more: Part[]) {
  for (const part of more) parts.add(part);
  await fetchWanted();
}

/** Say everything in this language, as soon as its messages are here. */
export async function speak(language: Language) {
  wanted = language;
  await fetchWanted();
  rememberLanguage(wanted);
}

async function fetchWanted() {
  const language = wanted;
  const loaded = await Promise.all([...parts].map((part) => load[language][part]())).catch((error) => {
    wanted = spoken.language;
    throw error;
  });
  if (language !== wanted || loaded.length !== parts.size) return fetchWanted(); // more was asked for meanwhile
  if (language === spoken.language && loaded.length === spoken.parts) return;
  const messages = Object.assign({}, login[language], ...loaded.map((part) => part.default));
  spoken = { language, messages, parts: loaded.length };
  for (const listener of listeners) listener();
}

/** What is spoken now, as `useSyncExternalStore` takes it. */
export const readSpoken = () => spoken;
export function onSpoken(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
