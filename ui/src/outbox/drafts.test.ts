import { expect, it } from 'vitest';
import { COST } from '@/test/canaries';
import { openTab, valuesOf } from '@/test/outbox';
import { aNurse } from '@/test/people';
import { recallDrafts } from './drafts';
import './draftsListener';
import { abandoned, rowsChanged, typed } from './outboxSlice';

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
