import { createListenerMiddleware } from '@reduxjs/toolkit';
import type { RootState } from '@/storeHooks';

/** Part of the store from the beginning; what it does comes with the first page that enters something. */
export const outboxMiddleware = createListenerMiddleware<RootState>();
