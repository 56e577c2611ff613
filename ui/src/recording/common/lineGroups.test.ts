import { describe, expect, it } from 'vitest';
import type { ConsumptionDayView, DetailView } from '@/api/generated';
import { aDetail } from '@/test/ward';
import { groupByCategory, groupByDay } from './lineGroups';

const on = (id: number, day: string): DetailView =>
  ({ ...aDetail(id), created_at: `${day}T10:00:00Z`, occurred_at: null, total: 1.1 }) as DetailView;
const dayOf = (moment: string) => moment.slice(0, 10);
const ofDay = (day: string, details: number) =>
  ({ created_at: `${day}T00:00:00Z`, details }) as ConsumptionDayView;

it('sums up no day of which lines are missing', () => {
  const days = [ofDay('2026-11-20', 3), ofDay('2026-11-19', 2), ofDay('2026-11-18', 1)];
  // The line of the 18th was recorded late, so that it is on the first page and lines of the 19th are not.
  const loaded = [
    on(6, '2026-11-20'),
    on(5, '2026-11-18'),
    on(4, '2026-11-20'),
    on(3, '2026-11-20'),
    on(2, '2026-11-19'),
  ];
  const groups = groupByDay(loaded, days, dayOf, null, false);
  expect(groups.map(({ day, lines, total }) => [day, lines, total])).toEqual([
    ['2026-11-20', 3, 3.3],
    ['2026-11-19', 2, undefined],
    ['2026-11-18', 1, 1.1],
  ]);
});

describe('the categories of a day', () => {
  const group = (details: DetailView[], lines = details.length) => ({ day: '2026-11-20', details, lines });

  it('are those of a day whose lines are all loaded', () => {
    const details = [on(1, '2026-11-20'), on(2, '2026-11-20')];
    expect(groupByCategory(group(details))).toEqual([{ id: 1, name: 'Guantes', lines: 2, total: 2.2 }]);
    expect(groupByCategory(group(details, 3))).toBeUndefined();
  });

  it('are worth the price of the lines for an area, which are charged nothing', () => {
    const used = {
      ...on(1, '2026-11-20'),
      total: 0,
      unit_price: 0.35,
      quantity: 2,
      unbilled: 'area',
    } as DetailView;
    expect(groupByCategory(group([used]))).toMatchObject([{ total: 0.7 }]);
  });
});
