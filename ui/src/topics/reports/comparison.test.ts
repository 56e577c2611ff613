import { expect, it } from 'vitest';
import type { ConsumptionPage, ConsumptionRowView } from '@/api/generated';
import { aReport } from '@/test/reports';
import { changeFrom, linesHref } from './comparison';

const row = (change: Partial<ConsumptionRowView>): ConsumptionRowView => ({
  key: '4',
  id: 4,
  name: 'Quirófano',
  details: 3,
  quantity: 4.5,
  ...change,
});
const all = { areaId: undefined, usedFor: 'patients' as const, returns: undefined };

it.each<[ConsumptionPage['by'], Partial<ConsumptionRowView>, string]>([
  ['day', { key: '2026-11-21' }, 'from=2026-11-21&to=2026-11-21'],
  ['month', { key: '2026-10' }, 'from=2026-10-23&to=2026-10-31'],
  ['month', { key: '2026-11' }, 'from=2026-11-01&to=2026-11-21'],
  ['shift', { key: '0', id: null }, 'from=2026-10-23&to=2026-11-21&shift=0'],
  ['area', {}, 'from=2026-10-23&to=2026-11-21&area=4'],
  ['category', {}, 'from=2026-10-23&to=2026-11-21&category=4'],
  ['patient', {}, 'from=2026-10-23&to=2026-11-21&patient=4'],
])('leads from a row by %s to its lines', (by, change, query) => {
  expect(linesHref(aReport({ by }), row(change), all)).toBe(`/consumption-sheet-details?${query}`);
});

it('keeps the area of the report', () => {
  const href = linesHref(aReport({ by: 'product' }), row({}), { ...all, areaId: 7 });
  expect(href).toBe('/consumption-sheet-details?from=2026-10-23&to=2026-11-21&area=7&product=4');
});

it('leads nowhere from rows whose lines no filter finds', () => {
  expect(linesHref(aReport({ by: 'area' }), row({ key: '', id: null }), all)).toBeUndefined();
  expect(linesHref(aReport({ by: 'area' }), row({ details: 0 }), all)).toBeUndefined();
  expect(linesHref(aReport({ by: 'area' }), row({}), { ...all, returns: true })).toBeUndefined();
});

it('has no change where there was nothing before', () => {
  expect(changeFrom(0, 5)).toBeUndefined();
  expect(changeFrom(4, 5)).toBe(0.25);
  expect(changeFrom(4, 0)).toBe(-1);
});
