import { VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { WardRoomView } from '@/api/generated';
import { serverNow } from '@/api/serverClock';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { splitRoomName } from '@/shared/records/roomName';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { roomStatusLabels } from '@/topics/catalogue/roomLabels';
import { type BoardSheet, marks, marksOf } from './marks';
import classes from './ward.module.css';

/** The room's number large, its kind below. What is heard, copied and searched for is its name. */
function RoomName({ name }: { name: string }) {
  const { kind, number } = splitRoomName(name);
  return (
    <span className={classes.room}>
      {kind && <span className={classes.kind}>{kind}</span>}{' '}
      <span className={classes.number} data-long={number.length > MAX_LARGE || undefined}>
        {number}
      </span>
    </span>
  );
}

/** A number with more characters is written smaller. */
const MAX_LARGE = 6;

interface SheetTileProps {
  room: WardRoomView;
  sheet: BoardSheet;
  /** The hospital's day. */
  today: string;
}

/** A patient's tile, a link to the recording page. */
export function SheetTile({ room, sheet, today }: SheetTileProps) {
  const t = useText();
  const format = useFormat();
  const { patient, lines_today: count } = sheet;
  const surnames = [patient.first_surname, patient.second_surname].filter(Boolean).join(' ');
  const { date_of_birth: born, record_number: record } = patient;
  const lastLine = useLastLine(today);
  return (
    <Link to={detailsOf(sheet)} className={classes.tile}>
      <RoomName name={room.name} />{' '}
      <span className={classes.who}>
        <span className={classes.patient}>{[surnames, patient.name].filter(Boolean).join(', ')}</span>{' '}
        {(born || record) && (
          <span className={classes.note}>
            {born && <span>{format.age(born)}</span>} {record && <span>{record}</span>}
          </span>
        )}
      </span>{' '}
      <span className={classes.facts}>
        <span>
          {count > 0 && <b>{`${t('ward.linesToday', { count })} `}</b>}
          <span>{lastLine(sheet)}</span>
        </span>{' '}
        {marksOf(sheet).map((name) => {
          const { icon: MarkIcon, label, count: countOf } = marks[name];
          return (
            <span key={name} className={classes.mark}>
              <MarkIcon size={14} stroke={2} aria-hidden />
              <span>{t(label, { count: countOf(sheet) })}</span>
            </span>
          );
        })}
      </span>
    </Link>
  );
}

/** Return a function that says when the last line was recorded: how long ago today, otherwise the day. */
function useLastLine(today: string) {
  const t = useText();
  const format = useFormat();
  return ({ last_recorded_at: at, lines_missing }: BoardSheet) => {
    if (!at) return t('home.nothingRecorded');
    const day = format.dayOf(at);
    if (day !== today) {
      const isYesterday = !lines_missing && Date.parse(today) - Date.parse(day) === 86_400_000;
      return isYesterday
        ? t('ward.lastYesterday', { time: format.time(at) })
        : t('ward.lastOn', { day: format.shortDay(day) });
    }
    if (lines_missing) return '';
    const minutes = Math.max(0, Math.floor((serverNow().getTime() - Date.parse(at)) / 60_000));
    return minutes < 60
      ? t('ward.minutesAgo', { minutes })
      : t('ward.hoursAgo', { hours: Math.floor(minutes / 60) });
  };
}

/** A room's status if no patient may come into it. */
const OUT_OF_SERVICE = 4;

/** The tile of a room without a sheet; users who may open sheets can open one there. */
export function FreeTile({ room }: { room: WardRoomView }) {
  const t = useText();
  const mayOpen = useCan('sheets.open') && room.status !== OUT_OF_SERVICE;
  const status = t(room.status === 1 ? 'ward.free' : (roomStatusLabels[room.status] ?? 'ward.free'));
  const what = (
    <>
      <RoomName name={room.name} /> <span className={classes.who}>{status}</span>
    </>
  );
  if (!mayOpen) return <span className={classes.free}>{what}</span>;
  return (
    <Link to={`/consumption-sheets/create?room=${room.id}`} className={classes.free}>
      <span className={classes.what}>{what}</span>
      <VisuallyHidden>{` ${t('sheets.open')}`}</VisuallyHidden>
      <IconPlus size={18} aria-hidden className={classes.plus} />
    </Link>
  );
}
