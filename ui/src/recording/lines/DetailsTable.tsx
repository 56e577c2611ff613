import { Button, Center } from '@mantine/core';
import { useCallbackRef, useLongPress, useMediaQuery } from '@mantine/hooks';
import {
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { DetailView } from '@/api/generated';
import { DETAILS_PAGE_SIZE } from '@/api/limits';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { isWaiting } from '@/outbox/outboxSlice';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { areaOf, type Subject } from '@/shared/records/subject';
import { EmptyState } from '@/shared/ui/EmptyState';
import { lazyPart } from '@/shared/ui/lazyPart';
import { useLoneKey } from '@/shared/ui/singleKeys';
import { LineDialog } from '@/topics/sheets/lines/LineDialog';
import type { LineAction } from '@/topics/sheets/lines/lineAction';
import { useDeleteDetail } from '@/topics/sheets/lines/useDeleteDetail';
import { useUnmarkWaste } from '@/topics/sheets/lines/useUnmarkWaste';
import { groupByDay } from '../common/lineGroups';
import { PracticeContext } from '../common/practiceContext';
import { type RowActions, rowIdOf, walkRows } from '../common/walkRows';
import type { OwnChanges } from '../sync/useLocalChanges';
import type { Change } from '../sync/useRemoteChanges';
import type { SheetOutboxState } from '../sync/useSheetOutbox';
import { Heading, Row } from './cells';
import { DetailRow } from './DetailRow';
import classes from './DetailsTable.module.css';
import { EditDetailRow } from './EditDetailRow';
import { type Item, itemsOf, type RowProps } from './LineRows';
import { Lines } from './Lines';
import { PendingRow } from './PendingRow';
import type { Density } from './useDensity';
import { useMarkedRows } from './useMarkedRows';

const MarkedBar = lazyPart(() => import('./MarkedBar'));

/** The server's list of the sheet's details. */
export interface DetailsList {
  /** Newest first. */
  details: DetailView[];
  /** How many details are not loaded. */
  more: number;
  onMore: () => void;
  loadingMore: boolean;
  /** Whether a request of the list is pending, also a refetch. */
  fetching: boolean;
}

/** A line to scroll to. It is opened for editing, if permitted, or marked as the one that was looked for. */
export interface LineTarget {
  id: number;
  to: 'edit' | 'see';
}

interface Props {
  sheet: Subject;
  /** The line that was looked for, which is highlighted. */
  looked: number | null;
  density: Density;
  closed: boolean;
  list: DetailsList;
  outbox: SheetOutboxState;
  /** Changes since the page was opened, by this user and by others. */
  changes: { own: OwnChanges; others: Change[] };
  onUndo: (detail: DetailView) => void;
  /** Answer whether the possible duplicate is intended. */
  onRepeat: (detailId: number, isMeant: boolean) => void;
  /** Record lines again; undefined if nothing may be recorded. */
  onAgain?: (details: DetailView[]) => void;
  /** Shown while an open sheet has no line. */
  empty?: ReactNode;
  /** The line to scroll to, loaded or not. */
  target: LineTarget | null;
  /** Called when the row has the focus, or the sheet has no such line. */
  onReached: (found: boolean) => void;
  /** Reports whether a row has unsaved edits. */
  editing: RefObject<() => boolean>;
}

/**
 * The lines by day.
 *
 * Memoised, because typing in the form must not render it.
 */
export const DetailsTable = memo(function DetailsTable({
  sheet,
  looked,
  density,
  closed,
  list: { details, more, onMore, loadingMore, fetching },
  outbox: { lines, isStopped, acts, repeats },
  changes: { own, others },
  onUndo,
  onRepeat,
  onAgain,
  empty,
  target,
  onReached,
  editing: unsaved,
}: Props) {
  const t = useText();
  const format = useFormat();
  const { user } = useSession();
  const practice = use(PracticeContext);
  const seesPrices = useCan('prices.see') && !practice;
  const mayEdit = useCan('details.edit') && !closed;
  const mayMoveAny = useCan('details.move_any') && !closed && !practice;
  const mayMoveOwn = useCan('details.move_own') && !closed && !practice;
  const mayReturn = useCan('details.return') && !closed && !practice;
  const mayDeleteOwn = useCan('details.delete_own');
  const mayAdd = useCan('details.add');
  const { lines_missing: misses } = sheet as Subject & { lines_missing?: boolean };
  const ofArea = 'area' in sheet;
  const mayCorrectOwn = mayDeleteOwn && mayAdd && !closed;
  const mayChange = (detail: DetailView) => mayEdit || (mayCorrectOwn && detail.user_id === user?.id);
  const [editing, setEditing] = useState<number | null>(null);
  const [edited, setEdited] = useState<number | null>(null);
  /** The line that had the focus last, where Tab enters the table. */
  const [stop, setStop] = useState<number | null>(null);
  /** The line that takes the focus once it is rendered. */
  const [sought, setSought] = useState<number | null>(null);
  useEffect(() => {
    if (sought === null) return;
    document.getElementById(`detail-${sought}`)?.focus();
    setSought(null);
  }, [sought]);
  const touch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });

  const [action, setAction] = useState<LineAction | null>(null);
  const lastAct = acts.at(-1);

  const { mayDelete, remove } = useDeleteDetail({ sheet, onAsk: setAction, onGone: leave });
  const onNotWasted = useCallbackRef(useUnmarkWaste(own.save));
  const onDelete = useCallbackRef(practice ? practice.remove : remove);

  function leave(ids: number[]) {
    setAction(null);
    for (const id of ids) own.remove(id);
    marked.clear();
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
      // A correction voids the line and records another one in its place.
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
  const marked = useMarkedRows(useMemo(() => rows.map(({ id }) => id), [rows]));
  const byOthers = useMemo(
    () =>
      new Map(others.flatMap(({ what, detail }) => (what === 'deleted' ? [] : [[detail.id, what] as const]))),
    [others],
  );

  const stopId = rows.some(({ id }) => id === stop) ? stop : (rows[0]?.id ?? null);

  const reached = target !== null && rows.some(({ id }) => id === target.id);
  useEffect(() => {
    if (target === null || (!reached && more > 0)) {
      if (target !== null && !fetching) onMore();
      return;
    }
    // A row in edit mode focuses its own field.
    if (reached && mayEdit && target.to === 'edit') setEditing(target.id);
    else {
      const row = document.getElementById(`detail-${target.id}`);
      row?.scrollIntoView({ block: 'center' });
      row?.focus({ preventScroll: true });
    }
    onReached(reached);
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
        // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: this row is no line.
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
      return <EditDetailRow {...shown} {...measured} ofArea={ofArea} onDone={onDone} unsaved={unsaved} />;
    }
    return (
      <DetailRow
        {...shown}
        homeArea={areaOf(sheet)}
        ofArea={ofArea}
        oneMenu={touch || narrow}
        isNew={own.recorded.has(detail.id)}
        byOthers={byOthers.get(detail.id)}
        onUndo={!closed && lastAct?.length === 1 && detail.id === lastAct[0]?.id ? onUndo : undefined}
        wasEdited={edited === detail.id}
        isStop={detail.id === stopId}
        isMarked={marked.ids.has(detail.id)}
        isLooked={detail.id === looked}
        onMark={marked.toggle}
        onEdit={mayChange(detail) ? onEdit : undefined}
        onDelete={!closed && mayDelete(detail) ? onDelete : undefined}
        onMove={mayMove(detail) ? setAction : undefined}
        onReturn={mayReturn && detail.quantity > 0 ? setAction : undefined}
        onNotWasted={onNotWasted}
      />
    );
  }

  const chosen = rows.filter(({ id }) => marked.ids.has(id));
  const mayWaste = ({ quantity, use_reason }: DetailView) =>
    mayReturn && !ofArea && quantity > 0 && !use_reason;
  const mayMove = (detail: DetailView) => mayMoveAny || (mayMoveOwn && detail.user_id === user?.id);
  const actionable = {
    move: chosen.filter(mayMove),
    void: closed || practice ? [] : chosen.filter(mayDelete),
    return: mayReturn ? chosen.filter(({ quantity }) => quantity > 0) : [],
    waste: chosen.filter(mayWaste),
    again: onAgain ? chosen : [],
  };
  /**
   * Start an action on lines.
   *
   * Voiding a single line is the same whether it is marked or not.
   */
  function actOn(next: LineAction) {
    const [only, ...others] = next.details;
    if (next.kind === 'void' && only && others.length === 0) onDelete(only);
    else setAction(next);
  }

  const wasLong = useRef(false);
  const { onTouchStart, onTouchMove, onTouchEnd, onTouchCancel } = useLongPress(
    ({ target }) => {
      const id = target instanceof Element && !isControl(target) ? rowIdOf(target) : null;
      if (id === null) return;
      wasLong.current = true;
      marked.toggle(id);
    },
    { threshold: LONG_PRESS_MS, events: ['touch'], cancelOnMove: true },
  );
  /**
   * Mark on Ctrl+click or Shift+click.
   *
   * Once rows are marked, any click or tap marks.
   */
  function onClick({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) {
    if (wasLong.current) {
      wasLong.current = false;
      return;
    }
    const id = target instanceof Element && !isControl(target) ? rowIdOf(target) : null;
    if (id === null) return;
    if (shiftKey) marked.extendTo(id);
    else if (ctrlKey || metaKey || marked.ids.size > 0) marked.toggle(id);
  }

  function actionsOf(id: number): RowActions | null {
    const detail = rows.find((one) => one.id === id);
    if (!detail) return null;
    return {
      onMark: () => marked.toggle(id),
      onExtend: () => marked.extendTo(id),
      onClear: chosen.length > 0 ? marked.clear : undefined,
      onEdit: mayChange(detail) ? () => onEdit(id) : undefined,
      onDelete: deletionOf(detail),
    };
  }

  /** Void the line, or all marked lines if it is one of them. */
  function deletionOf(detail: DetailView) {
    if (closed) return undefined;
    if (marked.ids.has(detail.id) && actionable.void.length > 0)
      return () => actOn({ kind: 'void', details: actionable.void });
    return mayDelete(detail) ? () => onDelete(detail) : undefined;
  }

  useLoneKey((key, focused) => {
    if (key !== 'd' || !focused.matches('tr')) return undefined;
    const detail = rows.find(({ id }) => id === rowIdOf(focused));
    if (!detail || !mayWaste(detail)) return undefined;
    const details = marked.ids.has(detail.id) ? actionable.waste : [detail];
    return () => setAction({ kind: 'waste', details });
  });

  if (rows.length === 0 && waiting.length === 0) {
    if (empty && !misses) return empty;
    return (
      <EmptyState
        title={t(misses ? 'offline.noLines' : 'list.nothingFound')}
        hint={closed ? undefined : t('details.nothingYet')}
      />
    );
  }
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: display: grid removes the native roles. */}
      <table
        className={classes.table}
        role="table"
        aria-labelledby="details-title"
        onKeyDown={(event) =>
          walkRows(event, {
            actionsOf,
            onEnd: (end) => setSought(rows.at(end === 'first' ? 0 : -1)?.id ?? null),
          })
        }
        onFocus={({ target }) => setStop(rowIdOf(target))}
        onClick={onClick}
        // Shift+click marks a range of rows and must not select text.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        {...{ onTouchStart, onTouchMove, onTouchEnd, onTouchCancel }}
        aria-rowcount={1 + waiting.length + rows.length + more}
        data-priced={seesPrices}
      >
        <thead role="rowgroup">
          <Row>
            <Heading>{t('details.time')}</Heading>
            <Heading>{t('details.quantity')}</Heading>
            <Heading>{t('details.product')}</Heading>
            {seesPrices && <Heading>{t('details.price')}</Heading>}
            <Heading>{t('details.staff')}</Heading>
            <Heading>{t('details.actions')}</Heading>
          </Row>
        </thead>
        <Lines
          items={items}
          rowHeight={(touch ? 48 : 40) + (density === 'comfortable' ? 8 : 0)}
          kept={editing ?? target?.id ?? edited}
          stops={[stopId, sought]}
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
      {chosen.length > 0 && (
        <Suspense>
          <MarkedBar
            rows={rows}
            marked={marked}
            actionable={actionable}
            onAction={actOn}
            onAgain={(details) => onAgain?.(details.toReversed())}
          />
        </Suspense>
      )}
      <LineDialog
        action={action}
        sheet={sheet}
        lines={rows}
        onClose={() => setAction(null)}
        onAction={setAction}
        onSaved={own.save}
        onGone={leave}
      />
    </>
  );
});

/** How long a press must last to mark a row, in milliseconds. */
const LONG_PRESS_MS = 500;

/** Return whether a click belongs to a control within the row. */
const isControl = (element: Element) => element.closest('a, button, input, textarea, [role="menu"]') !== null;
