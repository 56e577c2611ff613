import { Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { ImportedRow, ImportReport } from '@/api/generated';
import tableClasses from '@/components/table.module.css';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './imports.module.css';
import { kinds, type Outcome, outcomes } from './nouns';

/** What needs a look comes first. */
const ORDER: Outcome[] = ['refused', 'created', 'changed', 'unchanged'];

/** How many rows do what, and row by row what becomes of them. */
export function RowsTold({ report }: { report: ImportReport }) {
  const t = useText();
  const format = useFormat();
  const there = ORDER.filter((outcome) => report[outcome] > 0);
  const [chosen, setChosen] = useState<Outcome | null>(null);
  const shown = chosen ?? there[0];
  const rows = report.rows.filter(({ outcome }) => outcome === shown);
  const also = Object.entries(report.also);
  return (
    <>
      <fieldset className={classes.counts}>
        <legend>
          <VisuallyHidden>{t('imports.rowsShown')}</VisuallyHidden>
        </legend>
        {ORDER.map((outcome) => (
          <button
            key={outcome}
            type="button"
            className={classes.count}
            data-outcome={outcome}
            aria-pressed={outcome === shown}
            disabled={report[outcome] === 0}
            onClick={() => setChosen(outcome)}
          >
            <b>{format.quantity(report[outcome])}</b> {t(outcomes[outcome])}
          </button>
        ))}
      </fieldset>
      {also.length > 0 && (
        <Text size="sm" px="1.25rem" pb="sm">
          {t('imports.also')}{' '}
          {also
            .map(([kind, count]) => `${kinds[kind] ? t(kinds[kind]) : kind}: ${format.quantity(count)}`)
            .join(' · ')}
        </Text>
      )}
      {shown && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by its focus. */}
          <section className={classes.told} tabIndex={0} aria-label={t(outcomes[shown])}>
            <ToldTable outcome={shown} rows={rows} />
          </section>
          {report[shown] > rows.length && (
            <Text size="sm" c="dimmed" px="1.25rem" py="sm">
              {t('imports.firstRows', { shown: rows.length, rows: report[shown] })}
            </Text>
          )}
        </>
      )}
    </>
  );
}

function ToldTable({ outcome, rows }: { outcome: Outcome; rows: ImportedRow[] }) {
  const t = useText();
  const detail = outcome === 'refused' ? 'imports.why' : outcome === 'changed' ? 'imports.changes' : null;
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: display: block takes the native roles away.
    <table className={tableClasses.table} role="table">
      <caption>
        <VisuallyHidden>{t(outcomes[outcome])}</VisuallyHidden>
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
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={row.line} role="row">
            <td role="cell">{row.label || t('imports.emptyRow')}</td>
            <td role="cell" data-label={t('imports.line')} data-numeric>
              {row.line}
            </td>
            {detail && (
              <td role="cell" data-label={t(detail)}>
                {outcome === 'refused' ? <Reasons row={row} /> : <Changes row={row} />}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above.
  );
}

function Reasons({ row }: { row: ImportedRow }) {
  return (
    <ul className={classes.plain}>
      {row.reasons.map(({ message }) => (
        <li key={message}>{message}</li>
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
    if (typeof value === 'boolean') return t(value ? 'trail.yes' : 'trail.no');
    return String(value);
  }
  return (
    <ul className={classes.plain}>
      {row.changes.map(({ field, label, before, after }) => (
        <li key={field}>
          {label}: <del>{inWords(field, before)}</del> <span aria-hidden>→</span>{' '}
          <ins>{inWords(field, after)}</ins>
        </li>
      ))}
    </ul>
  );
}
