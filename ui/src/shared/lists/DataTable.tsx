import { Skeleton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { ClampedText } from '@/shared/ui/ClampedText';
import type { MoreItem } from '@/shared/ui/OverflowMenu';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import classes from './table.module.css';
import type { ListState } from './useListState';
import { useRowKeys } from './useRowKeys';

export interface Column<Row> {
  label: MessageId;
  cell: (row: Row) => ReactNode;
  /** A quiet second line, such as what tells two of the same name apart. */
  note?: (row: Row) => ReactNode;
  /** The field by which the server sorts this column. */
  sort?: string;
  /** The same for what the note begins with, which has its own heading. */
  noteSort?: { label: MessageId; sort: string };
  numeric?: boolean;
  /** Stands before the name: what is looked for first, such as a room. */
  lead?: boolean;
  /** Shown beside the note on a phone; without one, the last number. */
  figure?: boolean;
  /** Hidden where the table has no room for it; `most` also where names would need two lines because of it. */
  minor?: boolean | 'most';
  /** Takes the width of most names before the row's name takes more. */
  wide?: boolean;
  /** Sentences, which may be cut. Everything else is shown whole: two names may differ at their end. */
  prose?: boolean;
  /** Stands for itself in a card: no dot separates it from the texts before it. */
  apart?: boolean;
  /** The total of all pages, shown below the column. */
  sum?: ReactNode;
}

/** What can be done with a row, beside opening it. */
export interface RowMenu {
  /** What the row is called. */
  of: string;
  items: MoreItem[];
}

interface Props<Row> {
  caption: string;
  /** The first column that is no lead names the row. On a phone it is the first line. */
  columns: Column<Row>[];
  /** Undefined while loading. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => number | string;
  /** The menu at the end of each row. */
  menu?: (row: Row) => RowMenu;
  list: ListState;
  /** The server's order when the address names none. */
  defaultSort?: string;
  /** True while new rows are loading. */
  stale?: boolean;
}

const sortsOf = <Row,>({ label, sort, noteSort }: Column<Row>) => [
  ...(sort ? [{ label, sort }] : []),
  ...(noteSort ? [noteSort] : []),
];

/**
 * Return the sort order of the address, if such a column exists.
 *
 * A shared link may name a column that the user does not have.
 */
export function sortAmong<Row>(columns: Column<Row>[], sort: string | undefined) {
  const field = sort?.replace(/^-/, '');
  return columns.some((column) => sortsOf(column).some((one) => one.sort === field)) ? sort : undefined;
}

/**
 * A table of a list.
 *
 * On a phone every row has two lines: its name, and its note with the figure. The ARIA roles keep it a table for screen
 * readers. Arrow keys move between the rows, which are one tab stop.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  menu,
  list,
  defaultSort,
  stale,
}: Props<Row>) {
  const t = useText();
  const keys = useRowKeys();
  const current = list.sort ?? defaultSort;
  const named = columns.find(({ lead }) => !lead);
  const figure = columns.find((column) => column.figure) ?? columns.findLast(({ numeric }) => numeric);
  const placeOf = (column: Column<Row>) => ({
    'data-numeric': column.numeric,
    'data-minor': column.minor,
    'data-lead': column.lead,
    'data-wide': column.wide,
  });
  return (
    <div className={classes.frame}>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: `display: block` removes the native roles. */}
      <table
        {...keys}
        className={classes.table}
        role="table"
        aria-busy={!rows || stale}
        data-stale={stale || undefined}
      >
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                role="columnheader"
                {...placeOf(column)}
                aria-sort={directionOf(sortsOf(column), current)}
              >
                {sortsOf(column).map(({ label, sort }) => (
                  <SortLink key={sort} sort={sort} current={current} list={list} label={t(label)} />
                ))}
                {!column.sort && <span>{t(column.label)}</span>}
              </th>
            ))}
            {menu && (
              <th scope="col" role="columnheader" className={classes.menu}>
                <VisuallyHidden>{t('list.actions')}</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows
            ? rows.map((row) => (
                <tr
                  role="row"
                  key={rowKey(row)}
                  data-led={columns[0]?.lead}
                  data-menu={menu && true}
                  data-noted={Boolean(named?.note) || undefined}
                >
                  {columns.map((column) => (
                    <td
                      role="cell"
                      key={column.label}
                      data-label={t(column.label)}
                      {...placeOf(column)}
                      data-apart={column.apart}
                      data-name={column === named || undefined}
                      data-figure={column === figure || undefined}
                    >
                      <Cell column={column} row={row} whole={column === named} />
                    </td>
                  ))}
                  {menu && (
                    <td role="cell" className={classes.menu}>
                      <Menu {...menu(row)} />
                    </td>
                  )}
                </tr>
              ))
            : ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
                <tr role="row" key={key}>
                  {columns.map(({ label, minor }) => (
                    <td role="cell" key={label} data-minor={minor}>
                      <Skeleton height="1.25rem" radius="sm" />
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
        {rows && columns.some(({ sum }) => sum !== undefined) && (
          <tfoot role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <td role="cell" key={column.label} data-label={t(column.label)} {...placeOf(column)}>
                  {column.sum}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: as above. */}
    </div>
  );
}

/** One line, and below it the note. */
function Cell<Row>({ column, row, whole }: { column: Column<Row>; row: Row; whole: boolean }) {
  const line = column.cell(row);
  const note = column.note?.(row);
  // A card leaves out an empty cell.
  if (!line && !note) return null;
  if (!whole && !column.note) return broken(line, !column.prose);
  return (
    <>
      <div className={classes.line}>{whole ? line : broken(line, true)}</div>{' '}
      {note && <div className={classes.note}>{whole ? note : broken(note, false)}</div>}
    </>
  );
}

const broken = (content: ReactNode, entire: boolean) =>
  typeof content === 'string' && content ? <ClampedText entire={entire}>{content}</ClampedText> : content;

function Menu({ of, items }: RowMenu) {
  const t = useText();
  if (items.length === 0) return null;
  return <OverflowMenuButton label={t('list.actionsOf', { of })} about={of} items={items} />;
}

function directionOf(sorts: { sort: string }[], current: string | undefined) {
  if (sorts.some(({ sort }) => current === sort)) return 'ascending';
  return sorts.some(({ sort }) => current === `-${sort}`) ? 'descending' : undefined;
}

interface SortLinkProps {
  sort: string;
  current: string | undefined;
  list: ListState;
  label: string;
}

function SortLink({ sort, current, list, label }: SortLinkProps) {
  const isCurrent = current === sort || current === `-${sort}`;
  const Icon = current === sort ? IconArrowUp : current === `-${sort}` ? IconArrowDown : IconArrowsSort;
  return (
    <Link
      className={classes.sort}
      data-current={isCurrent || undefined}
      to={list.hrefWith({ sort: current === sort ? `-${sort}` : sort })}
    >
      <span>{label}</span>
      <Icon size={16} aria-hidden />
    </Link>
  );
}
