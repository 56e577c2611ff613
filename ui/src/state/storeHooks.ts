import type { ThunkAction, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch, useSelector, useStore } from 'react-redux';

/**
 * State of the store, apart from API responses.
 *
 * Each slice declares its part beside its reducer, so that this file imports none; `app/store.ts` creates the store.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the slices add their parts.
export interface RootState {}

export type AppDispatch = ThunkDispatch<RootState, unknown, UnknownAction>;
export type AppThunk<Answer> = ThunkAction<Promise<Answer>, RootState, unknown, UnknownAction>;

export const useAppDispatch = useDispatch.withTypes<AppDispatch>();
export const useAppSelector = useSelector.withTypes<RootState>();
export const useAppStore = () => useStore<RootState>();
