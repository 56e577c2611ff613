import { expect, it } from 'vitest';
import { COST } from '@/test/canaries';
import { openTab, valuesOf } from '@/test/outbox';
import { aNurse, aSupervisor } from '@/test/people';
import { recallDrafts, storeDrafts } from './drafts';
import './draftsListener';
import { abandoned, rowsChanged, typed } from './outboxSlice';
import { enqueue, loadOutbox } from './thunks';

it('are stored after every change, without prices', () => {
  const { dispatch } = openTab();
  const held = () => {
    const drafts = recallDrafts(aNurse().id, 1);
    return [...drafts.rows.map(({ key }) => key), drafts.begun?.quantity];
  };
  const row = { key: 'b', values: valuesOf(2) };
  dispatch(rowsChanged({ sheetId: 1, rows: [row] }));
  dispatch(typed({ sheetId: 1, values: valuesOf(9) }));
  expect(held()).toEqual(['b', 9]);
  expect(JSON.stringify(sessionStorage)).not.toMatch(COST);
  dispatch(rowsChanged({ sheetId: 1, rows: [] }));
  expect(held()).toEqual([9]);
  dispatch(abandoned({ sheetId: 1 }));
  expect(sessionStorage).toHaveLength(0);
});

const recorded = { key: 'b', isStoring: true };
const rowsOf = (userId: number) => recallDrafts(userId, 1).rows.map(({ key }) => key);

it('have a recorded row until its entry is a line', async () => {
  const { dispatch, getState } = openTab();
  const places = () => [rowsOf(aNurse().id), getState().outbox.lines.map(({ key }) => key)];
  dispatch(rowsChanged({ sheetId: 1, rows: [recorded, { key: 'c' }] }));
  const stored = dispatch(enqueue({ sheetId: 1, items: [valuesOf(2)], key: 'b' }));
  expect(places()).toEqual([['b', 'c'], []]);
  await stored;
  expect(places()).toEqual([['c'], ['b']]);
  dispatch(typed({ sheetId: 1, values: null }));
  expect(places()).toEqual([['c'], ['b']]);
});

it('have a recorded row until its entry is stored, if the page is left', () => {
  const { dispatch } = openTab();
  dispatch(rowsChanged({ sheetId: 1, rows: [recorded, { key: 'c' }] }));
  dispatch(abandoned({ sheetId: 1 }));
  expect(rowsOf(aNurse().id)).toEqual(['b']);
});

it('lose a row whose entry a crash left on the device', async () => {
  const { dispatch } = openTab();
  await dispatch(enqueue({ sheetId: 1, items: [valuesOf(2)], key: 'b' }));
  storeDrafts(aNurse().id, 1, { rows: [recorded, { key: 'c' }], begun: valuesOf(9) });
  const other = aSupervisor();
  storeDrafts(other.id, 1, { rows: [recorded], begun: null });
  await dispatch(loadOutbox());
  expect(rowsOf(aNurse().id)).toEqual(['c']);
  expect(recallDrafts(aNurse().id, 1).begun?.quantity).toBe(9);
  expect(rowsOf(other.id)).toEqual(['b']);
});
