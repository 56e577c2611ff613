import { type Language, rememberedLanguage } from './language';

type Messages = Record<string, string>;

const load: Record<Language, () => Promise<{ default: Messages }>> = {
  es: () => import('./es.json'),
  en: () => import('./en.json'),
};

const listeners = new Set<() => void>();
let wanted = rememberedLanguage();
let spoken: { language: Language; messages: Messages } = { language: wanted, messages: {} };

/** Say everything in this language, as soon as its messages are here. */
export async function speak(language: Language) {
  wanted = language;
  const { default: messages } = await load[language]();
  if (language !== wanted) return; // another one was asked for meanwhile
  spoken = { language, messages };
  for (const listener of listeners) listener();
}

/** What is spoken now, as `useSyncExternalStore` takes it. */
export const readSpoken = () => spoken;
export function onSpoken(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
