import type { DetailView } from '@/api/generated';
import type { DetailValues } from '@/outbox/outboxSlice';
import type { Act, Task } from './practiceTasks';

/** The practice sheet. It exists only while its page is open. */
export interface PracticeState {
  /** Newest first. */
  lines: DetailView[];
  /** Actions that can be undone, each with its lines. */
  acts: DetailView[][];
  /** How each task so far ended, in order; the next one is current. */
  outcomes: ('done' | 'skipped')[];
  /** When the first thing was done or skipped, and the last one. */
  startedAt: number | null;
  endedAt: number | null;
  nextId: number;
}

export const blank: PracticeState = {
  lines: [],
  acts: [],
  outcomes: [],
  startedAt: null,
  endedAt: null,
  nextId: 1,
};

export type PracticeEvent = { at: number } & (
  | { type: 'recorded'; items: DetailValues[]; kit?: { id: number; name: string }; userId: number }
  | { type: 'corrected'; id: number; quantity: number }
  | { type: 'removed'; id: number }
  /** `isOpen`: a line that was not recorded yet. */
  | { type: 'undone'; isOpen: boolean }
  | { type: 'noted' }
  | { type: 'begun' }
  | { type: 'skipped' }
  | { type: 'restarted' }
);

/** An event without its time, which is added when it is sent. */
export type Happened = PracticeEvent extends infer Event
  ? Event extends PracticeEvent
    ? Omit<Event, 'at'>
    : never
  : never;

/** Return the next state; `tasks` are those of the page. */
export function reducePractice(state: PracticeState, event: PracticeEvent, tasks: Task[]): PracticeState {
  if (event.type === 'restarted') return blank;
  const begun = { ...state, startedAt: state.startedAt ?? event.at };
  const [next, act] = apply(begun, event);
  const task = tasks[next.outcomes.length];
  if (!task) return next;
  if (event.type === 'skipped') return withOutcome(next, 'skipped', event.at, tasks);
  return act && task.isDone(act) ? withOutcome(next, 'done', event.at, tasks) : next;
}

function withOutcome(state: PracticeState, outcome: 'done' | 'skipped', at: number, tasks: Task[]) {
  const outcomes = [...state.outcomes, outcome];
  return { ...state, outcomes, endedAt: outcomes.length === tasks.length ? at : null };
}

/** Change the lines, and return what the person did. */
function apply(state: PracticeState, event: PracticeEvent): [PracticeState, Act | null] {
  const { lines, acts, nextId } = state;
  switch (event.type) {
    case 'recorded': {
      const { items, kit, userId, at } = event;
      const added = items.map((values, place) => lineOf(values, nextId + place, at, userId, kit)).reverse();
      const recorded = {
        ...state,
        lines: [...added, ...lines],
        acts: [...acts, added],
        nextId: nextId + items.length,
      };
      return [recorded, { type: 'recorded', items, kitId: kit?.id }];
    }
    case 'corrected': {
      const changed = lines.map((line) =>
        line.id === event.id ? { ...line, quantity: event.quantity, version: line.version + 1 } : line,
      );
      const productId = lines.find(({ id }) => id === event.id)?.product_id ?? 0;
      return [
        { ...state, lines: changed },
        { type: 'corrected', productId, quantity: event.quantity },
      ];
    }
    case 'removed':
      return [without(state, [event.id]), { type: 'removed' }];
    case 'undone': {
      if (event.isOpen) return [state, { type: 'undone' }];
      const last = acts.at(-1);
      return last
        ? [
            without(
              state,
              last.map(({ id }) => id),
            ),
            { type: 'undone' },
          ]
        : [state, null];
    }
    case 'noted':
      return [state, { type: 'noted' }];
    default:
      return [state, null];
  }
}

function without(state: PracticeState, ids: number[]): PracticeState {
  const stays = ({ id }: DetailView) => !ids.includes(id);
  return {
    ...state,
    lines: state.lines.filter(stays),
    acts: state.acts.map((act) => act.filter(stays)).filter(({ length }) => length > 0),
  };
}

function lineOf(
  values: DetailValues,
  id: number,
  at: number,
  userId: number,
  kit: { id: number; name: string } | undefined,
): DetailView {
  const { product_id, product, quantity, staff, staff_id, lot, expiry, serial, gtin, used_at } = values;
  return {
    id,
    version: 1,
    consumption_sheet_id: 0,
    product_id: product_id ?? 0,
    product: {
      id: product_id ?? 0,
      name: product?.name ?? '',
      code: product?.code,
      unit: product?.unit,
      category: { id: 0, name: '' },
    },
    quantity: typeof quantity === 'number' ? quantity : 0,
    ...{ staff, staff_id, lot, expiry, serial, gtin },
    area: null,
    area_id: null,
    kit: kit ?? null,
    created_at: new Date(at).toISOString(),
    occurred_at: used_at,
    user_id: userId,
  };
}
