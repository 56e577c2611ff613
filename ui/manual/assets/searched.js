/** Return a word in lower case and without accents, so that *edicion* finds *edición*. */
export const foldWord = (word) =>
  word
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();

/** Options of the search: the index is built and read with the same ones. */
export const SEARCHED = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['url', 'title', 'heading'],
  processTerm: foldWord,
  searchOptions: { prefix: true, fuzzy: 0.2, combineWith: 'AND', boost: { title: 4, heading: 3 } },
};
