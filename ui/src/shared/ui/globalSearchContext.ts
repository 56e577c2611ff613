import { createContext } from 'react';

/** Open the global search, from a page that has its own header. */
export const OpenGlobalSearchContext = createContext<() => void>(() => {});
