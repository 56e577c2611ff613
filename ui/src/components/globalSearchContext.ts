import { createContext } from 'react';

/** Opens the search of everything, from a page that has a head of its own. */
export const OpenGlobalSearchContext = createContext<() => void>(() => {});
