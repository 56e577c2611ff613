import { Button } from '@mantine/core';
import type { DetailView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { SelectionBar } from '@/shared/lists/SelectionBar';
import { timeOfUse } from '@/shared/records/timeOfUse';
import type { LineAction } from '@/topics/sheets/lines/lineAction';
import type { MarkedRows } from './useMarkedRows';

/**
 * The marked lines by the action that applies to them.
 *
 * An empty list hides the action.
 */
export interface Actionable {
  move: DetailView[];
  void: DetailView[];
  return: DetailView[];
  waste: DetailView[];
  again: DetailView[];
}

interface Props {
  /** All lines of the list, newest first. */
  rows: DetailView[];
  marked: MarkedRows;
  actionable: Actionable;
  onAction: (action: LineAction) => void;
  onAgain: (details: DetailView[]) => void;
}

/** Act on the marked lines, from a bar at the bottom of the list. */
export default function MarkedBar({ rows, marked, actionable, onAction, onAgain }: Props) {
  const t = useText();
  const format = useFormat();
  const { user } = useSession();
  const count = marked.ids.size;
  const since = rows
    .filter(({ id }) => marked.ids.has(id))
    .map(timeOfUse)
    .reduce((earliest, at) => (Date.parse(at) < Date.parse(earliest) ? at : earliest));
  const mine = rows
    .filter((one) => one.user_id === user?.id && Date.parse(timeOfUse(one)) >= Date.parse(since))
    .map(({ id }) => id);
  const label = (text: string, some: DetailView[]) =>
    some.length < count ? `${text} (${some.length})` : text;
  const act = (kind: LineAction['kind'], text: string) =>
    actionable[kind].length > 0 && (
      <Button variant="default" onClick={() => onAction({ kind, details: actionable[kind] })}>
        {label(text, actionable[kind])}
      </Button>
    );
  return (
    <SelectionBar
      label={t('details.marked.title')}
      count={t('details.marked.count', { count })}
      clear={t('details.marked.clear')}
      onClear={marked.clear}
    >
      {act('move', t('details.move'))}
      {act('void', t('details.delete'))}
      {act('return', t('details.return'))}
      {act('waste', t('waste.short'))}
      {actionable.again.length > 0 && (
        <Button variant="default" onClick={() => onAgain(actionable.again)}>
          {t('details.again')}
        </Button>
      )}
      {mine.some((id) => !marked.ids.has(id)) && (
        <Button variant="subtle" onClick={() => marked.mark(mine)}>
          {format.dayOf(since) === format.dayOf(new Date())
            ? t('details.marked.mine', { since: format.time(since) })
            : t('details.marked.mineSinceDay', { since: format.moment(since) })}
        </Button>
      )}
    </SelectionBar>
  );
}
