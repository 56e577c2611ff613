import { createListenerMiddleware } from '@reduxjs/toolkit';
import type { RootState } from '@/state/storeHooks';

/** Listener middleware of the store. The outbox adds its listeners when the first page with recording loads. */
export const outboxMiddleware = createListenerMiddleware<RootState>();
