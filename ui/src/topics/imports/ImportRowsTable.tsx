import { Text, VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import type { ImportedRow, RowMessage } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import tableClasses from '@/shared/lists/table.module.css';
import { cellsFound, messagesOf, type SearchableRow } from './importRows';
import classes from './imports.module.css';
import { type View, views } from './nouns';
import type { FileImport } from './useFileImport';

/**
 * The rows left out of the import, and how to change them.
 *
 * It is undefined when they can no longer be chosen.
 */
export type SkipState = Pick<FileImport, 'leftOut' | 'changeLeftOut'> & { disabled: boolean };

interface Props {
  view: View;
  rows: SearchableRow[];
  columns: string[];
  /** The query that found the rows. */
  query: string;
  leaving: SkipState | undefined;
}

const details = { refused: 'imports.why', warned: 'imports.warnings', changed: 'imports.changes' } as const;

const detailOf = (view: View) => (view in details ? details[view as keyof typeof details] : null);

/** List rows with their outcome and its reasons. */
export function ImportRowsTable({ view, rows, columns, query, leaving }: Props) {
  const t = useText();
  const detail = detailOf(view);
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: display: block removes the native roles.
    <table className={tableClasses.table} role="table">
      <caption>
        <VisuallyHidden>{t(views[view])}</VisuallyHidden>
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">
            {t('imports.row')}
          </th>
          <th scope="col" role="columnheader" data-numeric>
            {t('imports.line')}
          </th>
          {detail && (
            <th scope="col" role="columnheader">
              {t(detail)}
            </th>
          )}
          {leaving && (
            <th scope="col" role="columnheader">
              {t('imports.leaveOut')}
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <ImportRow
            key={row.line}
            row={row}
            view={view}
            columns={columns}
            query={query}
            out={leaving?.leftOut.has(row.line)}
            onLeaveOut={leaving?.changeLeftOut}
            disabled={leaving?.disabled}
          />
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above.
  );
}

interface RowProps extends Pick<Props, 'view' | 'columns' | 'query'> {
  row: SearchableRow;
  /** Whether the row is left out; undefined if that cannot be chosen. */
  out: boolean | undefined;
  onLeaveOut: SkipState['changeLeftOut'] | undefined;
  disabled: boolean | undefined;
}

const ImportRow = memo(function ImportRow({
  row,
  view,
  columns,
  query,
  out,
  onLeaveOut,
  disabled,
}: RowProps) {
  const t = useText();
  const detail = detailOf(view);
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: as above.
    <tr role="row" data-out={out || undefined}>
      <td role="cell">
        <div>
          <span className={classes.rowLabel}>{row.label || t('imports.emptyRow')}</span>
          <CellsFound row={row} columns={columns} query={query} />
        </div>
      </td>
      <td role="cell" data-label={t('imports.line')} data-numeric>
        {row.line}
      </td>
      {detail && (
        <td role="cell" data-label={t(detail)}>
          {view === 'changed' ? <Changes row={row} /> : <Messages messages={messagesOf(row, view)} />}
        </td>
      )}
      {onLeaveOut && (
        <td role="cell" data-label={t('imports.leaveOut')}>
          {/* A native checkbox: two hundred of the library's render too slowly. The label is the touch target. */}
          <label className={classes.tick}>
            <VisuallyHidden>{t('imports.leaveOutLine', { line: row.line })}</VisuallyHidden>
            <input
              type="checkbox"
              checked={out}
              disabled={disabled}
              onChange={(event) => onLeaveOut([row.line], event.currentTarget.checked)}
            />
          </label>
        </td>
      )}
    </tr>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above.
  );
});

/** Show the found cells that are not displayed otherwise. */
function CellsFound({ row, columns, query }: { row: SearchableRow; columns: string[]; query: string }) {
  const shown = [row.line, row.label, ...[...row.reasons, ...row.warnings].map(({ message }) => message)];
  return cellsFound(row, query, shown.join('\n')).map((index) => (
    <Text key={index} span size="sm" c="dimmed" className={classes.cellFound}>
      {`${columns[index]}: ${row.cells[index]}`}
    </Text>
  ));
}

/** List messages, each with its field and the field's value in the file. */
function Messages({ messages }: { messages: RowMessage[] }) {
  const t = useText();
  return (
    <ul className={classes.messages}>
      {messages.map(({ label, value, code, field, message }) => (
        <li key={`${code} ${field} ${message}`}>
          {label && (
            <span className={classes.atField}>
              <span>{`${label}: `}</span>
              <b>{value === '' ? t('imports.nothing') : value}</b>
            </span>
          )}{' '}
          <span>{message}</span>
        </li>
      ))}
    </ul>
  );
}

function Changes({ row }: { row: ImportedRow }) {
  const t = useText();
  const format = useFormat();
  function inWords(field: string, value: ImportedRow['changes'][number]['before']) {
    if (value === null || value === '') return t('imports.nothing');
    if (field === 'price') return format.money(Number(value));
    if (field === 'date_of_birth') return format.day(String(value));
    if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
    return String(value);
  }
  return (
    <ul className={classes.messages}>
      {row.changes.map(({ field, label, before, after }) => (
        <li key={field}>
          <span>{`${label}: `}</span>
          <del>{inWords(field, before)}</del> <span aria-hidden>→</span> <ins>{inWords(field, after)}</ins>
        </li>
      ))}
    </ul>
  );
}
