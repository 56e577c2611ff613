import { expect, it } from 'vitest';
import { COST } from '@/test/canaries';
import { openTab, valuesOf } from '@/test/outbox';
import { aNurse } from '@/test/people';
import { recallDrafts } from './drafts';
import './draftsListener';
import { abandoned, dropped, setAside, typed } from './outboxSlice';

it('are stored with every step, without prices', () => {
  const { dispatch } = openTab();
  const held = () => {
    const drafts = recallDrafts(aNurse().id, 1);
    return [...drafts.setAside.map(({ key }) => key), drafts.begun?.quantity];
  };
  dispatch(setAside({ sheetId: 1, key: 'b', values: valuesOf(2) }));
  dispatch(typed({ sheetId: 1, values: valuesOf(9) }));
  expect(held()).toEqual(['b', 9]);
  expect(JSON.stringify(sessionStorage)).not.toMatch(COST);
  dispatch(dropped({ key: 'b' }));
  expect(held()).toEqual([9]);
  dispatch(abandoned({ sheetId: 1 }));
  expect(sessionStorage).toHaveLength(0);
});
