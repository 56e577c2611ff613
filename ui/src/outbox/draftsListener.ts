import { isAnyOf } from '@reduxjs/toolkit';
import { listeners } from '@/state/listeners';
import { recallDrafts, storeDrafts } from './drafts';
import { abandoned, rowsChanged, typed } from './outboxSlice';

const changesDrafts = isAnyOf(typed, rowsChanged, abandoned);

// Store the drafts of every open sheet after each change. A sheet that is no longer open keeps its stored drafts.
listeners.startListening({
  matcher: changesDrafts,
  effect: (action, { getState }) => {
    const { session, outbox } = getState();
    const userId = session.user?.id ?? 0;
    if (abandoned.match(action)) {
      const { sheetId } = action.payload;
      // A recorded row stays until its entry is stored.
      const rows = recallDrafts(userId, sheetId).rows.filter(({ isStoring }) => isStoring);
      storeDrafts(userId, sheetId, { rows, begun: null });
    }
    for (const sheetId of Object.keys(outbox.sheets).map(Number))
      storeDrafts(userId, sheetId, {
        rows: outbox.rows[sheetId] ?? [],
        begun: outbox.begun[sheetId] ?? null,
      });
  },
});
