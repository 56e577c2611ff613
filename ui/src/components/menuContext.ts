import { createContext } from 'react';

/** Opens the navigation where there is no room for it beside the page: for pages that have a head of their own. */
export const OpenMenuContext = createContext<() => void>(() => {});
