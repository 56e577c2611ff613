import { createContext } from 'react';

/** What is typed in the search field around: the options tell what of them it found. */
export const SearchTextContext = createContext('');
