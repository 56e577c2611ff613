import { configureStore } from '@reduxjs/toolkit';
import type { ProductView } from '@/api/generated';
import { api } from '@/api/tags';
import { apiDependencies } from '@/app/store';
import { type DetailValues, EMPTY_SCAN, opened, outboxReducer } from '@/outbox/outboxSlice';
import { flushOutbox, stopSending } from '@/outbox/sending';
import { enqueue } from '@/outbox/thunks';
import { accountRead, sessionReducer, signedIn } from '@/session/session';
import { listeners } from '@/state/listeners';
import { aNurse } from './people';

export const valuesOf = (quantity: number, change: Partial<DetailValues> = {}): DetailValues => ({
  product_id: 1,
  product: {
    id: 1,
    name: 'Gasa',
    price: 0.35,
    category: { id: 1, code: 'GR', name: 'Guantes' },
  } as ProductView,
  quantity,
  staff_id: null,
  staff: null,
  area_id: null,
  used_at: null,
  corrects: null,
  ...EMPTY_SCAN,
  ...change,
});

/** Simulate a tab with a signed-in user and an open sheet. */
export function openTab({ user = aNurse(), token = 'token-1', sheetId = 1 } = {}) {
  const { getState, dispatch } = configureStore({
    reducer: { session: sessionReducer, outbox: outboxReducer, [api.reducerPath]: api.reducer },
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: apiDependencies } })
        .prepend(listeners.middleware)
        .concat(api.middleware),
  });
  dispatch(signedIn(token));
  dispatch(accountRead(user));
  let sending: Promise<void> = Promise.resolve();
  dispatch(opened({ sheetId, drafts: { rows: [], begun: null } }));
  return {
    getState,
    dispatch,
    /** Enter a line with this quantity, and send the outbox. */
    async record(quantity: number, { sheet = sheetId, ...change } = {}) {
      await dispatch(enqueue({ sheetId: sheet, items: [valuesOf(quantity, change)] }));
      sending = dispatch(flushOutbox());
    },
    send: () => dispatch(flushOutbox()),
    /** Wait until the last line is answered or put off. */
    atRest: () => sending,
    close: () => dispatch(stopSending()),
    /** The lines as `quantity status`. */
    lines: () => getState().outbox.lines.map(({ items, status }) => `${items[0]?.quantity} ${status}`),
  };
}
