import { Skeleton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { ClampedText } from '@/shared/ui/ClampedText';
import classes from './table.module.css';
import type { ListState } from './useListState';

export interface Column<Row> {
  label: MessageId;
  cell: (row: Row) => ReactNode;
  /** The field by which the server sorts this column. */
  sort?: string;
  numeric?: boolean;
  /** Hidden on tablets, where a table has no room for it. */
  minor?: boolean;
  /** Stands for itself in a card: no dot separates it from the texts before it. */
  apart?: boolean;
  /** The total of all pages, shown below the column. */
  sum?: ReactNode;
}

interface Props<Row> {
  caption: string;
  /** The first column names the row. On a phone it is the title of the card. */
  columns: Column<Row>[];
  /** Undefined while loading. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => number | string;
  list: ListState;
  /** The server's order when the address names none. */
  defaultSort?: string;
  /** True while new rows are loading. */
  stale?: boolean;
}

/**
 * Return the sort order of the address, if such a column exists.
 *
 * A shared link may name a column that the user does not have.
 */
export function sortAmong<Row>(columns: Column<Row>[], sort: string | undefined) {
  return columns.some((column) => column.sort === sort?.replace(/^-/, '')) ? sort : undefined;
}

/**
 * A table of a list.
 *
 * On a phone every row is a card of two lines. The ARIA roles keep it a table for screen readers.
 */
export function DataTable<Row>({ caption, columns, rows, rowKey, list, defaultSort, stale }: Props<Row>) {
  const t = useText();
  const current = list.sort ?? defaultSort;
  // On a phone it is shown beside the name.
  const amount = columns.findLast(({ numeric, label }) => numeric && label !== 'list.actions');
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: `display: block` removes the native roles.
    <table className={classes.table} role="table" aria-busy={!rows || stale} data-stale={stale || undefined}>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ label, sort, numeric, minor }) => (
            <th
              key={label}
              scope="col"
              role="columnheader"
              data-numeric={numeric}
              data-minor={minor}
              aria-sort={
                sort && current === sort ? 'ascending' : current === `-${sort}` ? 'descending' : undefined
              }
            >
              {sort ? <SortLink sort={sort} current={current} list={list} label={t(label)} /> : t(label)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows
          ? rows.map((row) => (
              <tr role="row" key={rowKey(row)}>
                {columns.map(({ label, cell, numeric, minor, apart }) => (
                  <td
                    role="cell"
                    key={label}
                    data-label={t(label)}
                    data-numeric={numeric}
                    data-minor={minor}
                    data-apart={apart}
                    data-amount={label === amount?.label || undefined}
                  >
                    {clamped(cell(row))}
                  </td>
                ))}
              </tr>
            ))
          : ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
              <tr role="row" key={key}>
                {columns.map(({ label, minor }) => (
                  <td role="cell" key={label} data-label={t(label)} data-minor={minor}>
                    <Skeleton height="1.25rem" radius="sm" />
                  </td>
                ))}
              </tr>
            ))}
      </tbody>
      {rows && columns.some(({ sum }) => sum !== undefined) && (
        <tfoot role="rowgroup">
          <tr role="row">
            {columns.map(({ label, sum, numeric, minor }) => (
              <td role="cell" key={label} data-label={t(label)} data-numeric={numeric} data-minor={minor}>
                {sum}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above.
  );
}

const clamped = (content: ReactNode) =>
  typeof content === 'string' && content ? <ClampedText>{content}</ClampedText> : content;

interface SortLinkProps {
  sort: string;
  current: string | undefined;
  list: ListState;
  label: string;
}

function SortLink({ sort, current, list, label }: SortLinkProps) {
  const Icon = current === sort ? IconArrowUp : current === `-${sort}` ? IconArrowDown : IconArrowsSort;
  return (
    <Link className={classes.sort} to={list.hrefWith({ sort: current === sort ? `-${sort}` : sort })}>
      <span>{label}</span>
      <Icon size={16} aria-hidden />
    </Link>
  );
}
