import { Fragment, lazy, type ReactNode, type Ref, Suspense, useMemo } from 'react';
import type { DetailView } from '@/api/generated';
import type { DetailValues, OutboxLine, Repeat } from '@/outbox/outboxSlice';
import classes from './DetailsTable.module.css';
import type { LineGroup } from './lineGroups';
import { usePrinting } from './usePrinting';

/** So many rows are all drawn: the browser finds what is in them. */
const ALL_DRAWN = 120;
const VirtualizedLines = lazy(() => import('./VirtualizedLines'));

/** What stands in one place of the list. */
export type Item =
  | { kind: 'day'; key: string; group: LineGroup }
  | { kind: 'waiting'; key: string; line: OutboxLine; values: DetailValues }
  | { kind: 'detail'; key: string; detail: DetailView; place: number }
  | { kind: 'repeat'; key: string; repeat: Repeat };

/** The groups as one list, its lines counted from the one after the heading. */
export function itemsOf(groups: LineGroup[], waiting: OutboxLine[], repeats: Repeat[]): Item[] {
  const rows = waiting.flatMap((line) =>
    line.items.map((values, at): Item => ({ kind: 'waiting', key: `${line.key} ${at}`, line, values })),
  );
  let place = 1 + rows.length;
  return groups.flatMap((group, number): Item[] => [
    { kind: 'day', key: group.day, group },
    ...(number === 0 ? rows : []),
    ...group.details.flatMap((detail): Item[] => {
      place += 1;
      const repeat = repeats.find(({ detailId }) => detailId === detail.id);
      return [
        { kind: 'detail', key: String(detail.id), detail, place },
        ...(repeat ? [{ kind: 'repeat' as const, key: `repeat ${detail.id}`, repeat }] : []),
      ];
    }),
  ]);
}

/** What a row needs where only some are drawn: its place, and something by which its height is known. */
export interface RowProps {
  'aria-rowindex'?: number;
  'data-index'?: number;
  ref?: (row: HTMLTableRowElement | null) => void;
}

export interface LinesProps {
  items: Item[];
  rowHeight: number;
  /** A line that stays drawn wherever one scrolls: it is being corrected, or gone to. */
  kept: number | null;
  nameOfDay: (day: string) => string;
  renderDay: (group: LineGroup) => ReactNode;
  renderRow: (item: Exclude<Item, { kind: 'day' }>, props: RowProps) => ReactNode;
}

/** The lines by day. Of very many, those are drawn that are seen, that have the focus or that are being corrected. */
export function Lines(props: LinesProps) {
  const { items } = props;
  const printing = usePrinting();
  const all = useMemo(() => items.map((_, index) => ({ index })), [items]);
  if (items.length <= ALL_DRAWN || printing) return <LineRows {...props} drawn={all} />;
  return (
    <Suspense fallback={<LineRows {...props} drawn={all.slice(0, ALL_DRAWN)} />}>
      <VirtualizedLines {...props} />
    </Suspense>
  );
}

interface LineRowsProps extends LinesProps {
  /** What is drawn of the items, and after how much room in which nothing is. */
  drawn: { index: number; after?: number }[];
  /** How much room is left below them. */
  rest?: number;
  /** Where not all rows are drawn: takes the height of the one that stays, which alone may be another than theirs. */
  measure?: RowProps['ref'];
  top?: Ref<HTMLTableSectionElement>;
  /** The key of the row that has the focus. */
  onFocused?: (key: string | null) => void;
}

export function LineRows(props: LineRowsProps) {
  const { items, kept, nameOfDay, renderDay, renderRow, drawn, rest = 0, measure, top, onFocused } = props;
  const days = useMemo(() => {
    let day = '';
    return items.map((item) => {
      if (item.kind === 'day') day = item.group.day;
      return day;
    });
  }, [items]);

  // Each day is a group of its own, whose heading may have been scrolled out of view.
  const groups: { day: string; rows: ReactNode[] }[] = [];
  for (const { index, after = 0 } of drawn) {
    const item = items[index];
    const day = days[index] ?? '';
    if (!item) continue;
    if (groups.at(-1)?.day !== day) groups.push({ day, rows: [] });
    const rows = groups.at(-1)?.rows;
    if (after > 0) rows?.push(<Gap key={`before ${item.key}`} height={after} />);
    if (item.kind === 'day') {
      rows?.push(
        // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it names the group and is no line.
        <tr key={item.key} role="presentation" className={classes.day}>
          {renderDay(item.group)}
        </tr>,
      );
    } else {
      const row: RowProps = {
        'aria-rowindex': item.kind === 'detail' && measure ? item.place : undefined,
        ...(measure && item.key === String(kept) && { 'data-index': index, ref: measure }),
      };
      rows?.push(<Fragment key={item.key}>{renderRow(item, row)}</Fragment>);
    }
  }
  return (
    <>
      {top && <tbody ref={top} role="presentation" />}
      {groups.map(({ day, rows }) => (
        <tbody
          key={day}
          // biome-ignore lint/a11y/noRedundantRoles: display: block takes the native role away.
          role="rowgroup"
          aria-label={nameOfDay(day)}
          onFocus={onFocused && (({ target }) => onFocused(keyOf(target)))}
          onBlur={onFocused && (() => onFocused(null))}
        >
          {rows}
        </tbody>
      ))}
      {rest > 0 && <tbody role="presentation" style={{ height: rest }} />}
    </>
  );
}

const keyOf = (element: Element) => element.closest('tr')?.id.replace('detail-', '') || null;

/** In the place of what is not drawn. */
const Gap = ({ height }: { height: number }) => (
  // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it is no line.
  <tr role="presentation" style={{ display: 'block', height }} />
);
