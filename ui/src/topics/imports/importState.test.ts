import { describe, expect, it } from 'vitest';
import type { FileReading, ImportReport } from '@/api/generated';
import {
  type Choices,
  type ImportEvent,
  type ImportResult,
  type ImportState,
  importReducer,
  interruptedState,
  NOTHING,
  type Step,
} from './importState';

const file = { name: 'precios.csv' } as File;
const products: Choices = { noun: 'products', mapping: { code: 'A' } };
const reading = { noun: 'products' } as FileReading;
const chosen: ImportEvent = { type: 'chosen', file };
const begun = (doing: Step['doing']): ImportEvent => ({ type: 'begun', doing });
const ended: ImportEvent = { type: 'ended' };
const read = (choices: Choices = { mapping: {} }): ImportEvent => ({ type: 'read', reading, choices });
const result = (kept: boolean, leftOut: number[] = []): ImportResult => ({
  report: { kept } as ImportReport,
  rows: [],
  leftOut: new Set(leftOut),
});
const checked: ImportEvent = { type: 'checked', result: result(false, [4]) };
const leftOut = (lines: number[], out = true): ImportEvent => ({ type: 'leftOut', lines, out });
const failed: ImportEvent = { type: 'failed', problems: ['No.'], again: { doing: 'checking' } };

const stateOf = (events: ImportEvent[]) => events.reduce(importReducer, NOTHING);

describe('events of an import', () => {
  it.each<[string, ImportEvent[], Partial<ImportState>]>([
    ['has a file once one is chosen', [chosen], { file, reading: null, doing: null }],
    ['is under way', [chosen, begun('reading')], { doing: 'reading', progress: null }],
    [
      'tells how far it is',
      [begun('checking'), { type: 'progressed', progress: { done: 1, total: 2 } }],
      { progress: { done: 1, total: 2 } },
    ],
    [
      'gets the progress again',
      [{ type: 'progressed', progress: { done: 1, total: 2 } }, begun('importing')],
      { progress: null },
    ],
    [
      'knows what the rows are once it is read',
      [chosen, begun('reading'), read(), ended],
      { reading, guessed: true, choices: { noun: 'products', mapping: {} }, doing: null },
    ],
    ['was told what the rows are', [chosen, read({ noun: 'staff', mapping: {} })], { guessed: false }],
    [
      'still has found it out when something else is chosen',
      [chosen, read(), read(products)],
      { guessed: true, choices: products },
    ],
    [
      'forgets its check when it is read otherwise',
      [chosen, read(), checked, leftOut([3]), read(products)],
      { checked: null, leftOut: new Set() },
    ],
    [
      'leaves rows out, and takes them in again',
      [chosen, read(), leftOut([2, 3]), leftOut([3], false)],
      { leftOut: new Set([2]) },
    ],
    [
      'leaves those out again that were when it was checked',
      [checked, leftOut([9]), { type: 'leftOutAsChecked' }],
      { leftOut: new Set([4]) },
    ],
    [
      'says what went wrong, and what can be tried again',
      [failed, ended],
      { problems: ['No.'], again: { doing: 'checking' } },
    ],
    [
      'says it no longer when it is tried again',
      [failed, begun('checking')],
      { problems: [], again: null, notice: null },
    ],
    ['says it no longer when other rows are left out', [failed, leftOut([2])], { problems: [], again: null }],
    [
      'says what the page has against it',
      [{ type: 'objected', problem: 'Too large.' }],
      { problems: ['Too large.'], again: null },
    ],
    [
      'is done',
      [chosen, read(), checked, { type: 'imported', result: result(true) }],
      { done: result(true), notice: null },
    ],
    [
      'is seen again before it is done, when something changed since the check',
      [chosen, read(), checked, { type: 'imported', result: result(false) }],
      { done: null, checked: result(false), notice: 'imports.changedMeanwhile' },
    ],
    ['is over', [chosen, read(), checked, leftOut([2]), failed, { type: 'startedOver' }], NOTHING],
  ])('%s', (_, events, expected) => {
    expect(stateOf(events)).toMatchObject(expected);
  });
});

describe('the state to restore after a session', () => {
  it.each<[string, ImportEvent[], Partial<ImportState> | undefined]>([
    [
      'a file that was read is found again as it was',
      [chosen, read(products), failed, leftOut([2])],
      { reading, choices: products, leftOut: new Set([2]), notice: 'imports.resumed', again: null },
    ],
    [
      'a file that was not read is read again',
      [chosen, begun('reading')],
      { doing: null, again: { doing: 'reading', file, choices: { mapping: {} } } },
    ],
    [
      'what was being imported may be there',
      [chosen, read(), checked, begun('importing')],
      { doing: null, notice: 'imports.resumedImporting' },
    ],
    ['nothing is left without a file', [], undefined],
    [
      'nothing is left of what is done',
      [chosen, read(), { type: 'imported', result: result(true) }],
      undefined,
    ],
  ])('%s', (_, events, expected) => {
    const state = interruptedState(stateOf(events));
    if (expected) expect(state).toMatchObject({ file, problems: [], progress: null, ...expected });
    else expect(state).toBeUndefined();
  });
});
