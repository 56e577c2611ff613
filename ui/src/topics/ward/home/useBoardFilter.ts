import { useSearchParams } from 'react-router-dom';
import { type BoardSheet, MARKS, type MarkName, marks } from './marks';

type Narrowing = MarkName | 'mine';

export interface BoardFilter {
  by: Narrowing | null;
  toggle: (by: Narrowing) => void;
}

const PARAMETER = 'show';

const isShown = (by: Narrowing, sheet: BoardSheet) =>
  by === 'mine' ? sheet.mine : marks[by].count(sheet) > 0;

/** Narrow the board to sheets with a mark, or to the user's; the address says which. */
export function useBoardFilter(
  sheets: BoardSheet[],
): BoardFilter & { shows: (sheet: BoardSheet) => boolean } {
  const [asked, setAsked] = useSearchParams();
  const wanted = [...MARKS, 'mine' as const].find((name) => name === asked.get(PARAMETER));
  // What nothing is left of no longer narrows the board.
  const by = wanted && sheets.some((sheet) => isShown(wanted, sheet)) ? wanted : null;
  return {
    by,
    shows: (sheet) => by === null || isShown(by, sheet),
    toggle: (next) =>
      setAsked(
        (before) => {
          if (by === next) before.delete(PARAMETER);
          else before.set(PARAMETER, next);
          return before;
        },
        { replace: true, preventScrollReset: true },
      ),
  };
}
