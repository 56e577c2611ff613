import { createListenerMiddleware } from '@reduxjs/toolkit';
import type { Session } from '@/session/session';
import type { OutboxState } from './outbox';

/** Part of the store from the beginning; what it does comes with the first page that enters something. */
export const outboxMiddleware = createListenerMiddleware<{ session: Session; outbox: OutboxState }>();
