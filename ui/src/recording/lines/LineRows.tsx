import { Fragment, type ReactNode, type Ref, useMemo } from 'react';
import type { DetailView } from '@/api/generated';
import type { DetailValues, OutboxLine, Repeat } from '@/outbox/outboxSlice';
import type { LineGroup } from '../common/lineGroups';
import classes from './DetailsTable.module.css';

/** One item of the list: a heading or a row. */
export type Item =
  | { kind: 'day'; key: string; group: LineGroup }
  | { kind: 'waiting'; key: string; line: OutboxLine; values: DetailValues }
  | { kind: 'detail'; key: string; detail: DetailView; place: number }
  | { kind: 'repeat'; key: string; repeat: Repeat };

/**
 * Flatten the groups into one list.
 *
 * Line numbers start after the table's heading.
 */
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

/**
 * Props of a row in a virtualized list.
 *
 * The index, and a ref that measures the row's height.
 */
export interface RowProps {
  'aria-rowindex'?: number;
  'data-index'?: number;
  ref?: (row: HTMLTableRowElement | null) => void;
}

export interface LinesProps {
  items: Item[];
  rowHeight: number;
  /** A line that stays rendered at any scroll position: it is being edited or scrolled to. */
  kept: number | null;
  /** Other lines that stay rendered, because the keyboard leads to them. */
  stops: (number | null)[];
  nameOfDay: (day: string) => string;
  renderDay: (group: LineGroup) => ReactNode;
  renderRow: (item: Exclude<Item, { kind: 'day' }>, props: RowProps) => ReactNode;
}

interface LineRowsProps extends LinesProps {
  /** The rendered items; `after` is the height of the gap before an item, in pixels. */
  drawn: { index: number; after?: number }[];
  /** The height of the gap below them, in pixels. */
  rest?: number;
  /** Set in a virtualized list: measures the kept row, the only one whose height may differ. */
  measure?: RowProps['ref'];
  top?: Ref<HTMLTableSectionElement>;
  /** Called with the key of the focused row. */
  onFocused?: (key: string | null) => void;
}

/** Render the given rows, in a group for each day. */
export function LineRows(props: LineRowsProps) {
  const { items, kept, nameOfDay, renderDay, renderRow, drawn, rest = 0, measure, top, onFocused } = props;
  const days = useMemo(() => {
    let day = '';
    return items.map((item) => {
      if (item.kind === 'day') day = item.group.day;
      return day;
    });
  }, [items]);

  // Each day is a row group with its own label, because its heading may be scrolled out of view.
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
        // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the row is a heading, not a line.
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
          // biome-ignore lint/a11y/noRedundantRoles: display: block removes the native role.
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

/** Fill the space of rows that are not rendered. */
const Gap = ({ height }: { height: number }) => (
  // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: this row is no line.
  <tr role="presentation" style={{ display: 'block', height }} />
);
