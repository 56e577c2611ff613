import { Button, Center } from '@mantine/core';
import { useCallbackRef, useMediaQuery } from '@mantine/hooks';
import { memo, type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import type { DetailView, SheetView } from '@/api/generated';
import { DETAILS_PAGE_SIZE } from '@/api/limits';
import { EmptyState } from '@/components/EmptyState';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { isWaiting } from '@/outbox/outboxSlice';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { Heading, Row } from './cells';
import { DetailRow } from './DetailRow';
import classes from './DetailsTable.module.css';
import { EditDetailRow } from './EditDetailRow';
import { LineDialog } from './LineDialog';
import { type Item, itemsOf, Lines, type RowProps } from './Lines';
import type { LineAction } from './lineAction';
import { groupByDay } from './lineGroups';
import { PendingRow } from './PendingRow';
import { useDeleteDetail } from './useDeleteDetail';
import type { Density } from './useDensity';
import type { Change } from './useOthersChanges';
import type { OwnChanges } from './useOwnChanges';
import type { SheetOutboxState } from './useSheetOutbox';
import { type RowActions, walkRows } from './walkRows';

/** What the server knows of the sheet's details. */
export interface DetailsList {
  /** Newest first. */
  details: DetailView[];
  /** How many are not shown. */
  more: number;
  onMore: () => void;
  loadingMore: boolean;
  /** Whether anything of it is on its way, new or known. */
  fetching: boolean;
}

interface Props {
  sheet: SheetView;
  density: Density;
  closed: boolean;
  list: DetailsList;
  outbox: SheetOutboxState;
  /** What was done meanwhile, here and by others. */
  changes: { own: OwnChanges; others: Change[] };
  onUndo: () => void;
  /** What is told to repeat another line is meant, or not. */
  onRepeat: (detailId: number, isMeant: boolean) => void;
  /** A line that is gone to, shown or not. */
  target: number | null;
  onReached: () => void;
  /** Tells whether a row is being edited and not saved. */
  editing: RefObject<() => boolean>;
}

/** Memoised: what is typed into the form does not draw it anew. */
export const DetailsTable = memo(function DetailsTable({
  sheet,
  density,
  closed,
  list: { details, more, onMore, loadingMore, fetching },
  outbox: { lines, isStopped, acts, repeats },
  changes: { own, others },
  onUndo,
  onRepeat,
  target,
  onReached,
  editing: unsaved,
}: Props) {
  const t = useText();
  const format = useFormat();
  const { user } = useSession();
  const seesPrices = useCan('prices.see');
  const mayEdit = useCan('details.edit') && !closed;
  const mayMoveAny = useCan('details.move_any') && !closed;
  const mayMoveOwn = useCan('details.move_own') && !closed;
  const mayReturn = useCan('details.return') && !closed;
  const mayDeleteOwn = useCan('details.delete_own');
  const mayAdd = useCan('details.add');
  const mayCorrectOwn = mayDeleteOwn && mayAdd && !closed;
  const mayChange = (detail: DetailView) => mayEdit || (mayCorrectOwn && detail.user_id === user?.id);
  const [editing, setEditing] = useState<number | null>(null);
  const [edited, setEdited] = useState<number | null>(null);
  const touch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });

  const [action, setAction] = useState<LineAction | null>(null);
  const lastAct = acts.at(-1);

  const { mayDelete, remove } = useDeleteDetail({ onAsk: setAction, onGone: leave });
  const onDelete = useCallbackRef(remove);

  function leave(ids: number[]) {
    setAction(null);
    for (const id of ids) own.remove(id);
    document.getElementById('details-title')?.focus(); // the button that had it is gone
  }

  const onEdit = useCallback((id: number) => {
    setEditing(id);
    setEdited(id);
  }, []);
  const { save } = own;
  const { remove: hide } = own;
  const onDone = useCallback(
    (detail?: DetailView, corrected?: number) => {
      setEditing(null);
      if (!detail) return;
      // A corrected line is another one, in the place of the one that is voided.
      if (corrected !== undefined && corrected !== detail.id) {
        hide(corrected);
        setEdited(detail.id);
      } else save(detail);
    },
    [save, hide],
  );

  const { saved, removed } = own;
  const { rows, waiting } = useMemo(() => {
    const listed = new Set(details.map(({ id }) => id));
    const arriving = lines.flatMap((line) => line.details.filter(({ id }) => !listed.has(id))).reverse();
    const rows = [...arriving, ...details]
      .filter(({ id }) => !removed.has(id))
      .map((detail) => {
        const mine = saved.get(detail.id);
        return mine && mine.version > detail.version ? mine : detail;
      });
    return { rows, waiting: lines.filter((line) => isWaiting(line) || line.status === 'late').reverse() };
  }, [details, lines, saved, removed]);
  const byOthers = useMemo(
    () =>
      new Map(others.flatMap(({ what, detail }) => (what === 'deleted' ? [] : [[detail.id, what] as const]))),
    [others],
  );

  const reached = target !== null && rows.some(({ id }) => id === target);
  useEffect(() => {
    if (target === null || (!reached && more > 0)) {
      if (target !== null && !fetching) onMore();
      return;
    }
    // What is corrected takes the focus itself.
    if (reached && mayEdit) setEditing(target);
    else document.getElementById(`detail-${target}`)?.focus();
    onReached();
  }, [target, reached, more, fetching, onMore, onReached, mayEdit]);

  const next = Math.min(more, DETAILS_PAGE_SIZE);
  const today = format.dayOf(new Date());
  const complete = more === 0;
  const { dayOf } = format;
  const items = useMemo(
    () =>
      itemsOf(
        groupByDay(rows, sheet.consumptions, dayOf, waiting.length > 0 ? today : null, complete),
        waiting,
        repeats,
      ),
    [rows, waiting, repeats, sheet.consumptions, dayOf, today, complete],
  );
  const nameOfDay = (day: string) => {
    const short = day.slice(0, 4) === today.slice(0, 4) ? format.shortDay(day) : format.day(day);
    return day === today ? t('details.today', { day: short }) : short;
  };

  function renderRow(item: Exclude<Item, { kind: 'day' }>, row: RowProps) {
    if (item.kind === 'waiting')
      return <PendingRow line={item.line} values={item.values} {...{ isStopped, format, seesPrices }} />;
    if (item.kind === 'repeat') {
      const { detailId, text } = item.repeat;
      return (
        // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it is no line.
        <tr role="presentation" className={`${classes.line} ${classes.repeat}`}>
          <td role="presentation">
            <span>{text}</span>{' '}
            <Button variant="default" onClick={() => onRepeat(detailId, false)}>
              {t('details.undo')}
            </Button>{' '}
            <Button variant="subtle" onClick={() => onRepeat(detailId, true)}>
              {t('details.meant')}
            </Button>
          </td>
        </tr>
      );
    }
    const { detail } = item;
    const shown = { detail, format, seesPrices, place: row['aria-rowindex'] };
    if (detail.id === editing && mayChange(detail)) {
      const measured = { index: row['data-index'], row: row.ref };
      return <EditDetailRow {...shown} {...measured} onDone={onDone} unsaved={unsaved} />;
    }
    return (
      <DetailRow
        {...shown}
        homeArea={sheet.room.area_id}
        touch={touch}
        isNew={own.recorded.has(detail.id)}
        byOthers={byOthers.get(detail.id)}
        onUndo={!closed && lastAct?.length === 1 && detail.id === lastAct[0]?.id ? onUndo : undefined}
        wasEdited={edited === detail.id}
        onEdit={mayChange(detail) ? onEdit : undefined}
        onDelete={!closed && mayDelete(detail) ? onDelete : undefined}
        onMove={mayMoveAny || (mayMoveOwn && detail.user_id === user?.id) ? setAction : undefined}
        onReturn={mayReturn && detail.quantity > 0 ? setAction : undefined}
      />
    );
  }

  function actionsOf(id: number): RowActions {
    const detail = rows.find((one) => one.id === id);
    if (!detail) return {};
    return {
      onEdit: mayChange(detail) ? () => onEdit(id) : undefined,
      onDelete: !closed && mayDelete(detail) ? () => onDelete(detail) : undefined,
    };
  }

  if (rows.length === 0 && waiting.length === 0)
    return <EmptyState title={t('list.nothingFound')} hint={closed ? undefined : t('details.nothingYet')} />;
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: display: grid takes the native roles away. */}
      <table
        className={classes.table}
        role="table"
        aria-labelledby="details-title"
        onKeyDown={(event) => walkRows(event, actionsOf)}
        aria-rowcount={1 + waiting.length + rows.length + more}
        data-priced={seesPrices}
      >
        <thead role="rowgroup">
          <Row>
            <Heading>{t('details.time')}</Heading>
            <Heading>{t('details.product')}</Heading>
            <Heading>{t('details.quantity')}</Heading>
            {seesPrices && <Heading>{t('details.price')}</Heading>}
            <Heading>{t('details.staff')}</Heading>
            <Heading>{t('details.actions')}</Heading>
          </Row>
        </thead>
        <Lines
          items={items}
          rowHeight={(touch ? 48 : 40) + (density === 'comfortable' ? 8 : 0)}
          kept={editing ?? target ?? edited}
          nameOfDay={nameOfDay}
          renderDay={(group) => (
            <>
              <td role="presentation">{nameOfDay(group.day)}</td>
              <td role="presentation">
                {[
                  group.lines > 0 && t('sheets.recorded', { count: group.lines }),
                  group.total !== undefined && format.money(group.total),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </td>
            </>
          )}
          renderRow={renderRow}
        />
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: as above. */}
      {more > 0 && (
        <Center p="md" className={classes.more}>
          <Button variant="default" onClick={onMore} loading={loadingMore}>
            {t('details.more', { next, more, rest: more - next })}
          </Button>
        </Center>
      )}
      {more > 0 && <p className={classes.missing}>{t('details.notPrinted', { more })}</p>}
      <LineDialog
        action={action}
        sheet={sheet}
        lines={rows}
        onClose={() => setAction(null)}
        onAction={setAction}
        onSaved={(detail) => {
          setAction(null);
          own.save(detail);
        }}
        onGone={leave}
      />
    </>
  );
});
