import { Skeleton, UnstyledButton } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useWorklistCount } from '../worklist/useWorklistCount';
import { openAreaMenu } from './AreaMenu';
import { type Board, type BoardSheet, MARKS, marks } from './marks';
import type { BoardFilter } from './useBoardFilter';
import classes from './ward.module.css';

interface Props {
  /** Undefined while loading. */
  board: Board | undefined;
  sheets: BoardSheet[];
  filter: BoardFilter;
}

/** The board in one line: its numbers, and what needs attention, by which the board can be narrowed. */
export function Summary({ board, sheets, filter }: Props) {
  const t = useText();
  const format = useFormat();
  const chosen = useSession().user?.ward;
  const waiting = useWorklistCount();
  const free =
    board?.rooms.filter(({ sheets: those, status }) => those.length === 0 && status === 1).length ?? 0;
  const lines = sheets.reduce((sum, { lines_today }) => sum + lines_today, 0);
  const mine = sheets.filter((sheet) => sheet.mine).length;

  const figure = (label: 'ward.patients' | 'home.details' | 'ward.freeBeds', count: number) => (
    <span>
      <b>{format.quantity(count)}</b> <span>{t(label, { count })}</span>
    </span>
  );
  const narrowing = (by: NonNullable<BoardFilter['by']>, text: string, tone?: 'look') => (
    <UnstyledButton
      key={by}
      className={classes.chip}
      data-tone={tone}
      aria-pressed={filter.by === by}
      onClick={() => filter.toggle(by)}
    >
      {text}
    </UnstyledButton>
  );
  return (
    <section aria-label={t('home.today')} className={classes.summary}>
      {board ? (
        <>
          {!chosen && board.areas.length > 1 && !board.seen_at && (
            <span className={classes.question}>
              <span>{t('ward.choose')}</span>{' '}
              <UnstyledButton className={classes.chip} data-tone="ask" onClick={openAreaMenu}>
                {t('ward.chooseArea')}
              </UnstyledButton>
            </span>
          )}
          {figure('ward.patients', sheets.length)}
          {!board.is_partial && (
            <>
              {figure('home.details', lines)}
              {figure('ward.freeBeds', free)}
            </>
          )}
          {mine > 0 && mine < sheets.length && narrowing('mine', t('ward.mine', { count: mine }))}
          {MARKS.map((name) => {
            const count = sheets.filter((sheet) => marks[name].count(sheet) > 0).length;
            return count > 0 && narrowing(name, t(marks[name].summary, { count }), 'look');
          })}
        </>
      ) : (
        <Skeleton height="1rem" width="20rem" maw="100%" />
      )}
      {!!waiting && (
        <Link to="/worklist" className={classes.chip} data-tone="look">
          {t('home.worklist', { count: waiting })}
        </Link>
      )}
    </section>
  );
}
