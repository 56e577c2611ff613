import { createAction, createListenerMiddleware } from '@reduxjs/toolkit';
import type { RootState } from './storeHooks';

/**
 * Listeners of the store. They run in the order in which they are added, once the reducers and the API have the action.
 *
 * What an effect does before it waits is done before `dispatch` returns.
 */
export const listeners = createListenerMiddleware<RootState>();

/** The page was loaded. Dispatched once. */
export const pageLoaded = createAction('pageLoaded');
