import { isAnyOf } from '@reduxjs/toolkit';
import { storeDrafts } from './drafts';
import { outboxMiddleware } from './middleware';
import { abandoned, dropped, entered, scanned, setAside, typed } from './outboxSlice';

const changesDrafts = isAnyOf(typed, scanned, entered, setAside, dropped, abandoned);

// What is begun is stored with every step, of each sheet that is open. One that is not any more keeps what was stored.
outboxMiddleware.startListening({
  matcher: changesDrafts,
  effect: (action, { getState }) => {
    const { session, outbox } = getState();
    const userId = session.user?.id ?? 0;
    if (abandoned.match(action))
      storeDrafts(userId, action.payload.sheetId, { setAside: [], begun: null, scans: [] });
    for (const sheetId of Object.keys(outbox.sheets).map(Number))
      storeDrafts(userId, sheetId, {
        setAside: outbox.lines
          .filter((line) => line.sheetId === sheetId && line.status === 'setAside')
          .flatMap(({ key, items: [values] }) => (values ? [{ key, values }] : [])),
        begun: outbox.begun[sheetId] ?? null,
        scans: outbox.scans[sheetId] ?? [],
      });
  },
});
