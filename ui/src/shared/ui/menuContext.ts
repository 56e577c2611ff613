import { createContext } from 'react';

/** Open the navigation drawer, from a page that has its own header. */
export const OpenMenuContext = createContext<() => void>(() => {});
