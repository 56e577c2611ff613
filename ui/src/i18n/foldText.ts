/** A text without case and accents, to look for something in what stands on the page. Searches by the server's rules are `i18n/fold.ts`. */
export const foldText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
