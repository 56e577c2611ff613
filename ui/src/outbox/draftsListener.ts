import { isAnyOf } from '@reduxjs/toolkit';
import { storeDrafts } from './drafts';
import { outboxMiddleware } from './middleware';
import { abandoned, rowsChanged, typed } from './outboxSlice';

const changesDrafts = isAnyOf(typed, rowsChanged, abandoned);

// What is begun is stored with every step, of each sheet that is open. One that is not any more keeps what was stored.
outboxMiddleware.startListening({
  matcher: changesDrafts,
  effect: (action, { getState }) => {
    const { session, outbox } = getState();
    const userId = session.user?.id ?? 0;
    if (abandoned.match(action)) storeDrafts(userId, action.payload.sheetId, { rows: [], begun: null });
    for (const sheetId of Object.keys(outbox.sheets).map(Number))
      storeDrafts(userId, sheetId, {
        rows: outbox.rows[sheetId] ?? [],
        begun: outbox.begun[sheetId] ?? null,
      });
  },
});
