import { Skeleton, Text, VisuallyHidden } from '@mantine/core';
import type { WardRoomView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { OfflineCopyNotice } from '@/topics/sheets/OfflineCopyNotice';
import { useWardName } from './AreaMenu';
import type { Board, BoardSheet } from './marks';
import { Summary } from './Summary';
import { useBoardFilter } from './useBoardFilter';
import { FreeTile, SheetTile } from './WardTile';
import classes from './ward.module.css';

export type BoardRoom = Omit<WardRoomView, 'sheets'> & { sheets: BoardSheet[] };

interface Props {
  /** Undefined while loading. */
  board: (Omit<Board, 'rooms'> & { rooms: BoardRoom[] }) | undefined;
}

/** Show the rooms where the user works as tiles, one for each open sheet or room without one. */
export function Ward({ board }: Props) {
  const t = useText();
  const name = useWardName();
  const sheets = board?.rooms.flatMap((room) => room.sheets) ?? [];
  const filter = useBoardFilter(sheets);
  const shown = board?.rooms
    .map((room) => ({ ...room, sheets: room.sheets.filter(filter.shows) }))
    .filter((room) => filter.by === null || room.sheets.length > 0);
  // Equal numbers in a whole hospital differ in their area.
  const areas = board?.areas.filter(({ id }) => shown?.some(({ area }) => area.id === id)) ?? [];
  return (
    <>
      <OfflineCopyNotice seen={board} lacks={board?.is_partial && 'ward.lacks'} />
      <Summary board={board} sheets={sheets} filter={filter} />
      <VisuallyHidden role="status">
        {filter.by !== null && t('ward.shown', { count: sheets.filter(filter.shows).length })}
      </VisuallyHidden>
      {board?.more_rooms && <Text c="dimmed">{t('ward.moreRooms', { count: board.rooms.length })}</Text>}
      {board && sheets.length === 0 && (
        <Text c="dimmed">{t(board.rooms.length === 0 ? 'ward.noRooms' : 'home.noneOpen')}</Text>
      )}
      {!board || !shown ? (
        <LoadingRooms />
      ) : areas.length > 1 ? (
        areas.map((area) => (
          <section key={area.id} aria-labelledby={`area-${area.id}`} className={classes.area}>
            <h3 id={`area-${area.id}`}>{area.name}</h3>
            <Rooms rooms={shown.filter((room) => room.area.id === area.id)} />
          </section>
        ))
      ) : (
        <section aria-label={name}>
          <Rooms rooms={shown} />
        </section>
      )}
    </>
  );
}

function Rooms({ rooms }: { rooms: BoardRoom[] }) {
  return (
    <ul className={classes.rooms}>
      {rooms.map((room) =>
        room.sheets.length === 0 ? (
          <li key={room.id}>
            <FreeTile room={room} />
          </li>
        ) : (
          room.sheets.map((sheet) => (
            <li key={`${room.id} ${sheet.id}`}>
              <SheetTile room={room} sheet={sheet} />
            </li>
          ))
        ),
      )}
    </ul>
  );
}

function LoadingRooms() {
  return (
    <div className={classes.rooms}>
      {Array.from({ length: 12 }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <Skeleton key={place} className={classes.loading} />
      ))}
    </div>
  );
}
