import type { ThunkAction, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch, useSelector, useStore } from 'react-redux';
import type { OutboxState } from '@/outbox/outboxSlice';
import type { Session } from '@/session/session';

/**
 * State of the store, apart from API responses.
 *
 * `app/store.ts` creates it, but other folders may not import from there.
 */
export interface RootState {
  session: Session;
  outbox: OutboxState;
}

export type AppDispatch = ThunkDispatch<RootState, unknown, UnknownAction>;
export type AppThunk<Answer> = ThunkAction<Promise<Answer>, RootState, unknown, UnknownAction>;

export const useAppDispatch = useDispatch.withTypes<AppDispatch>();
export const useAppSelector = useSelector.withTypes<RootState>();
export const useAppStore = () => useStore<RootState>();
