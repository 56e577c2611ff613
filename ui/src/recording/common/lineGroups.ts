import type { ConsumptionDayView, DetailView } from '@/api/generated';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { worthOf } from '@/topics/sheets/lines/lineTotal';

export interface LineGroup {
  /** The hospital's day. */
  day: string;
  details: DetailView[];
  /** How many lines of the whole sheet belong to the day. */
  lines: number;
  /** The sum of the lines; undefined without prices, or if lines of the day are not loaded. */
  total?: number;
}

/**
 * Group lines by day, in their order.
 *
 * Today has a group even if lines are only waiting.
 */
export function groupByDay(
  details: DetailView[],
  days: ConsumptionDayView[],
  dayOf: (moment: string) => string,
  waitingOn: string | null,
  /** Whether all lines of the sheet are loaded. */
  complete: boolean,
): LineGroup[] {
  const groups: LineGroup[] = waitingOn === null ? [] : [{ day: waitingOn, details: [], lines: 0 }];
  for (const detail of details) {
    const day = dayOf(timeOfUse(detail));
    let group = groups.find((one) => one.day === day);
    if (!group) {
      group = { day, details: [], lines: 0 };
      groups.push(group);
    }
    group.details.push(detail);
  }
  // A late record may belong to an earlier day.
  groups.sort((one, other) => (one.day < other.day ? 1 : -1));
  for (const group of groups) {
    const here = group.details.length;
    const onSheet = days.find(({ created_at }) => created_at.slice(0, 10) === group.day)?.details ?? 0;
    // Pages are in the order of recording: with late records any day may be loaded in part.
    group.lines = complete ? here : Math.max(here, onSheet);
    const priced = group.details.every(({ total }) => total !== undefined);
    if (here > 0 && priced && group.lines === here) group.total = sumOf(group.details);
  }
  return groups;
}

/** Sum totals in whole cents, which add up exactly. */
const sumOf = (details: DetailView[]) =>
  details.reduce((cents, detail) => cents + Math.round((worthOf(detail) ?? 0) * 100), 0) / 100;

export interface CategoryGroup {
  id: number;
  name: string;
  lines: number;
  /** Undefined without prices. */
  total?: number;
}

/** Group the lines of a day by category, the largest first; nothing if lines of the day are not loaded. */
export function groupByCategory({ details, lines }: LineGroup): CategoryGroup[] | undefined {
  if (details.length < lines) return undefined;
  const categories = new Map(details.map(({ product: { category } }) => [category.id, category.name]));
  return [...categories]
    .map(([id, name]) => {
      const ofCategory = details.filter(({ product }) => product.category.id === id);
      const isPriced = ofCategory.every(({ total }) => total !== undefined);
      return { id, name, lines: ofCategory.length, ...(isPriced && { total: sumOf(ofCategory) }) };
    })
    .sort((one, other) => (other.total ?? 0) - (one.total ?? 0) || other.lines - one.lines);
}
