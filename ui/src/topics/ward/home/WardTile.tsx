import { VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { WardRoomView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { RoomLabel } from '@/shared/records/RoomLabel';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { useLastLine } from '@/shared/records/useLastLine';
import { roomStatusLabels } from '@/topics/catalogue/roomLabels';
import { type BoardSheet, marks, marksOf } from './marks';
import classes from './ward.module.css';

interface SheetTileProps {
  room: WardRoomView;
  sheet: BoardSheet;
}

/** A patient's tile, a link to the recording page. */
export function SheetTile({ room, sheet }: SheetTileProps) {
  const t = useText();
  const format = useFormat();
  const { patient, lines_today: count } = sheet;
  const surnames = [patient.first_surname, patient.second_surname].filter(Boolean).join(' ');
  const { date_of_birth: born, record_number: record } = patient;
  const lastLine = useLastLine();
  return (
    <Link to={detailsOf(sheet)} className={classes.tile}>
      <RoomLabel name={room.name} className={classes.room} />{' '}
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
          <span>{lastLine(sheet.last_recorded_at, sheet.lines_missing)}</span>
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

/** A room's status if no patient may come into it. */
const OUT_OF_SERVICE = 4;

/** The tile of a room without a sheet; users who may open sheets can open one there. */
export function FreeTile({ room }: { room: WardRoomView }) {
  const t = useText();
  const mayOpen = useCan('sheets.open') && room.status !== OUT_OF_SERVICE;
  const status = t(room.status === 1 ? 'ward.free' : (roomStatusLabels[room.status] ?? 'ward.free'));
  const what = (
    <>
      <RoomLabel name={room.name} className={classes.room} /> <span className={classes.who}>{status}</span>
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
