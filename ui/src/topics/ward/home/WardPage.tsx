import type { ReactNode } from 'react';
import { useSession } from '@/session/session';
import { useAppSelector } from '@/state/storeHooks';
import { countUnsent } from './countUnsent';
import { FirstSteps, useGettingStarted } from './FirstSteps';
import { HomeHead } from './HomeHead';
import { useWard } from './useWard';
import { Ward } from './Ward';
import classes from './ward.module.css';

/**
 * Show the rooms where the user works.
 *
 * `children` come below. A new hospital gets its first steps instead.
 */
export function WardPage({ children }: { children?: ReactNode }) {
  const { data, currentData } = useWard();
  const unsent = countUnsent(useAppSelector(({ outbox }) => outbox.lines));
  // An area to work in is only chosen in a hospital that has rooms.
  const hasArea = Boolean(useSession().user?.ward?.area);
  const isEmpty = currentData?.rooms.every(({ sheets }) => sheets.length === 0) && !currentData.seen_at;
  const steps = useGettingStarted(isEmpty === true && !hasArea);
  if (steps?.length) return <FirstSteps steps={steps} />;
  const board = steps &&
    currentData && {
      ...currentData,
      rooms: currentData.rooms.map((room) => ({
        ...room,
        sheets: room.sheets.map((sheet) => ({ ...sheet, unsent: unsent.get(sheet.id) ?? 0 })),
      })),
    };
  return (
    <div data-own-head>
      <HomeHead areas={data?.seen_at ? undefined : data?.areas} />
      <div className={classes.page}>
        <Ward board={board} />
        {/* What comes below needs the server. It loads its data meanwhile, and is hidden until it has its place. */}
        {!board?.seen_at && <div className={board ? classes.below : classes.waiting}>{children}</div>}
      </div>
    </div>
  );
}
