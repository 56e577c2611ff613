import { Checkbox, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { ImportRowsTable, type SkipState } from './ImportRowsTable';
import { byView, kindsIn, setFilters } from './importRows';
import type { ImportResult } from './importState';
import classes from './imports.module.css';
import { kinds, type View, views } from './nouns';
import { lastPage, ROWS_ON_A_PAGE, RowPages } from './RowPages';
import { type RowsFile, RowsFileButton } from './RowsFileButton';

interface Props {
  result: ImportResult;
  /** The names of the file's columns. */
  columns: string[];
  importing: RowsFile;
  leaving?: SkipState;
}

const ORDER = Object.keys(views) as View[];

/**
 * Show the counts by outcome, and every row with its outcome.
 *
 * The rows can be searched and filtered.
 */
export function ImportRows({ result: { report, rows }, columns, importing, leaving }: Props) {
  const t = useText();
  const format = useFormat();
  const viewed = useMemo(() => byView(rows), [rows]);
  const there = ORDER.filter((view) => report[view] > 0);
  const [chosen, setChosen] = useState<View | null>(null);
  const [query, setQuery] = useState('');
  const [chosenKind, setKind] = useState<string | null>(null);
  const [chosenPage, setPage] = useState(0);
  const view = (chosen && there.includes(chosen) ? chosen : there[0]) ?? 'created';
  const messageKinds = useMemo(() => kindsIn(viewed[view], view), [viewed, view]);
  // After another check, there may be no rows of that kind, and fewer pages.
  const kind = messageKinds.some((one) => one.kind === chosenKind) ? chosenKind : null;
  // Deferred, so that typing does not wait for a search in many rows.
  const searched = useDeferredValue(query);
  const found = useMemo(
    () => setFilters(viewed[view], view, { query: searched, kind }),
    [viewed, view, searched, kind],
  );
  const page = Math.min(chosenPage, lastPage(found.length));
  const also = Object.entries(report.also);
  const takesOut = leaving && (view === 'warned' || view === 'left_out') ? leaving : undefined;

  function look(change: () => void) {
    change();
    setPage(0);
  }

  return (
    <>
      <fieldset className={classes.counts}>
        <legend>
          <VisuallyHidden>{t('imports.rowsShown')}</VisuallyHidden>
        </legend>
        {ORDER.filter((one) => one !== 'left_out' || report.left_out > 0).map((one) => (
          <button
            key={one}
            type="button"
            className={classes.count}
            data-view={one}
            aria-pressed={one === view}
            disabled={report[one] === 0}
            onClick={() =>
              look(() => {
                setChosen(one);
                setKind(null);
              })
            }
          >
            {one === 'warned' && <IconAlertTriangle size={18} aria-hidden />}
            <b>{format.quantity(report[one])}</b> <span>{t(views[one])}</span>
          </button>
        ))}
      </fieldset>
      {also.length > 0 && (
        <Text size="sm" px="1.25rem" pb="sm">
          {`${t('imports.also')} ${also
            .map(([one, count]) => `${kinds[one] ? t(kinds[one]) : one}: ${format.quantity(count)}`)
            .join(' · ')}`}
        </Text>
      )}
      {there.length > 0 && (
        <>
          {messageKinds.length > 1 && (
            <fieldset className={classes.kinds}>
              <legend>{t('imports.kinds')}</legend>
              {messageKinds.map((one) => (
                <button
                  key={one.kind}
                  type="button"
                  className={classes.kind}
                  aria-pressed={one.kind === kind}
                  onClick={() => look(() => setKind(one.kind === kind ? null : one.kind))}
                >
                  <b>{format.quantity(one.rows)}</b>{' '}
                  <span>
                    {one.example.label && <b>{`${one.example.label}:`}</b>} <span>{one.example.message}</span>
                  </span>
                </button>
              ))}
            </fieldset>
          )}
          <div className={classes.narrow}>
            <TextInput
              type="search"
              role="searchbox"
              className={classes.searchRows}
              aria-label={t('imports.searchRows')}
              placeholder={t('imports.searchRows')}
              leftSection={<IconSearch size={18} aria-hidden />}
              value={query}
              onChange={({ currentTarget: { value } }) => look(() => setQuery(value))}
            />
            {takesOut && found.length > 0 && (
              <SkipAllButton lines={found.map(({ line }) => line)} leaving={takesOut} />
            )}
            {(view === 'refused' || view === 'warned') && (
              <RowsFileButton which={view} rows={report[view]} importing={importing} />
            )}
          </div>
          <VisuallyHidden role="status">
            {(searched || kind) && t('imports.rowsFound', { rows: found.length })}
          </VisuallyHidden>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it by its focus. */}
          <section key={`${view} ${page}`} className={classes.rows} tabIndex={0} aria-label={t(views[view])}>
            {found.length > 0 ? (
              <ImportRowsTable
                view={view}
                rows={found.slice(page * ROWS_ON_A_PAGE, (page + 1) * ROWS_ON_A_PAGE)}
                columns={columns}
                query={searched}
                leaving={takesOut}
              />
            ) : (
              <Text c="dimmed" p="1.25rem">
                {t('imports.noneFound')}
              </Text>
            )}
          </section>
          <RowPages rows={found.length} page={page} onChange={setPage} />
        </>
      )}
    </>
  );
}

/** Leave out all rows found, or include them again. */
function SkipAllButton({ lines, leaving }: { lines: number[]; leaving: SkipState }) {
  const t = useText();
  const out = lines.filter((line) => leaving.leftOut.has(line)).length;
  return (
    <Checkbox
      label={t('imports.leaveOutAll', { rows: lines.length })}
      checked={out === lines.length}
      indeterminate={out > 0 && out < lines.length}
      disabled={leaving.disabled}
      onChange={(event) => leaving.changeLeftOut(lines, event.currentTarget.checked)}
    />
  );
}
