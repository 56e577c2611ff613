import { createContext } from 'react';

/** The text of the surrounding search field, so that options can show what it matched. */
export const SearchTextContext = createContext('');
