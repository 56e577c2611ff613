import type { ConsumptionDayView, DetailView } from '@/api/generated';
import { timeOfUse } from '@/components/timeOfUse';

export interface LineGroup {
  /** The hospital's day. */
  day: string;
  details: DetailView[];
  /** How many lines the day has on the whole sheet. */
  lines: number;
  /** What they come to; absent where prices are not told, or not all of the day's lines are here. */
  total?: number;
}

/** The lines by day, in the order in which they come. `today` has its group when there is something `waiting` too. */
export function groupByDay(
  details: DetailView[],
  days: ConsumptionDayView[],
  dayOf: (moment: string) => string,
  waitingOn: string | null,
  /** Whether all lines of the sheet are here. */
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
  // What was used earlier may have arrived later.
  groups.sort((one, other) => (one.day < other.day ? 1 : -1));
  for (const [place, group] of groups.entries()) {
    const here = group.details.length;
    const isWhole = complete || place < groups.length - 1;
    const onSheet = days.find(({ created_at }) => created_at.slice(0, 10) === group.day)?.details ?? 0;
    group.lines = isWhole ? here : Math.max(here, onSheet);
    const priced = group.details.every(({ total }) => total !== undefined);
    if (here > 0 && priced && group.lines === here) group.total = sumOf(group.details);
  }
  return groups;
}

/** In whole cents, which add up exactly. */
const sumOf = (details: DetailView[]) =>
  details.reduce((cents, { total = 0 }) => cents + Math.round(total * 100), 0) / 100;
