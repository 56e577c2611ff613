import {
  type Icon,
  IconCircleDashed,
  IconCloudUpload,
  IconDoorExit,
  IconHelpCircle,
  IconPlus,
  IconUserCheck,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { WardRoomView, WardSheetView } from '@/api/generated';
import { serverNow } from '@/api/serverClock';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { ClampedText } from '@/shared/ui/ClampedText';
import { roomStatusLabels } from '@/topics/catalogue/roomLabels';
import classes from './ward.module.css';

interface SheetTileProps {
  room: WardRoomView;
  sheet: WardSheetView;
  /** The hospital's day. */
  today: string;
  /** Lines of the sheet that this device has not sent yet. */
  unsent: number;
}

/** A patient's tile, a link to the recording page. */
export function SheetTile({ room, sheet, today, unsent }: SheetTileProps) {
  const t = useText();
  const format = useFormat();
  const { patient, lines_today: count } = sheet;
  const surnames = [patient.first_surname, patient.second_surname].filter(Boolean).join(' ');
  const born = patient.date_of_birth;
  const lastLine = useLastLine(today);
  const identity = [born && format.age(born), patient.record_number].filter(Boolean).join(' · ');
  return (
    <Link to={detailsOf(sheet)} className={classes.tile}>
      <span className={classes.room}>{room.name}</span>{' '}
      {/* What does not fit into two lines is the end of the given names. */}
      <ClampedText className={classes.patient}>
        {[surnames, patient.name].filter(Boolean).join(', ')}
      </ClampedText>{' '}
      {identity && <span className={classes.note}>{identity}</span>}{' '}
      <span className={classes.facts}>
        <span>
          {count > 0 && <b>{`${t('ward.linesToday', { count })} · `}</b>}
          <span>{lastLine(sheet)}</span>
        </span>{' '}
        <Bars lines={sheet.lines_by_day} />
      </span>{' '}
      <span className={classes.marks}>
        {unsent > 0 && (
          <Mark icon={IconCloudUpload} tone="look">
            {t('ward.unsent', { count: unsent })}
          </Mark>
        )}
        {sheet.discharge_proposed && (
          <Mark icon={IconDoorExit} tone="look">
            {t('ward.discharge')}
          </Mark>
        )}
        {sheet.unlisted_items > 0 && (
          <Mark icon={IconHelpCircle} tone="look">
            {t('ward.unlisted', { count: sheet.unlisted_items })}
          </Mark>
        )}
        {count === 0 && <Mark icon={IconCircleDashed}>{t('ward.nothingToday')}</Mark>}
        {sheet.mine && <Mark icon={IconUserCheck}>{t('ward.mine')}</Mark>}
      </span>
    </Link>
  );
}

interface MarkProps {
  icon: Icon;
  tone?: 'look';
  children: string;
}

function Mark({ icon: MarkIcon, tone, children }: MarkProps) {
  return (
    <span className={classes.mark} data-tone={tone}>
      <MarkIcon size={16} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </span>
  );
}

/** Return a function that says when the last line was recorded: how long ago today, otherwise the day. */
function useLastLine(today: string) {
  const t = useText();
  const format = useFormat();
  return ({ last_recorded_at: at }: WardSheetView) => {
    if (!at) return t('home.nothingRecorded');
    const day = format.dayOf(at);
    if (day !== today) return t('ward.lastOn', { day: format.shortDay(day) });
    const minutes = Math.max(0, Math.floor((serverNow().getTime() - Date.parse(at)) / 60_000));
    return minutes < 60
      ? t('ward.minutesAgo', { minutes })
      : t('ward.hoursAgo', { hours: Math.floor(minutes / 60) });
  };
}

const BAR_WIDTH = 7;
const BAR_GAP = 2;
const MAX_BAR_HEIGHT = 24;
/** A day with this many lines is as high as the tile has room for, unless another day has more. */
const MIN_SCALE = 6;

/** The lines of the last seven days as bars, today's on the right. */
function Bars({ lines }: { lines: number[] }) {
  const t = useText();
  const scale = Math.max(MIN_SCALE, ...lines);
  const width = lines.length * (BAR_WIDTH + BAR_GAP) - BAR_GAP;
  return (
    <svg
      className={classes.bars}
      width={width}
      height={MAX_BAR_HEIGHT}
      viewBox={`0 0 ${width} ${MAX_BAR_HEIGHT}`}
      role="img"
      aria-label={t('ward.bars', { days: lines.length, lines: lines.join(', ') })}
    >
      {lines.map((count, place) => {
        // A day without lines is a mark on the floor.
        const height = Math.max(2, (count / scale) * MAX_BAR_HEIGHT);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: days keep their places.
            key={place}
            x={place * (BAR_WIDTH + BAR_GAP)}
            y={MAX_BAR_HEIGHT - height}
            width={BAR_WIDTH}
            height={height}
            rx={1}
            data-empty={count === 0 || undefined}
            data-today={place === lines.length - 1 || undefined}
          />
        );
      })}
    </svg>
  );
}

/** The tile of a room without a sheet; users who may open sheets can open one there. */
export function FreeTile({ room }: { room: WardRoomView }) {
  const t = useText();
  const mayOpen = useCan('sheets.open');
  const status = t(room.status === 1 ? 'ward.free' : (roomStatusLabels[room.status] ?? 'ward.free'));
  const what = (
    <>
      <span className={classes.room}>{room.name}</span> <span className={classes.note}>{status}</span>
    </>
  );
  if (!mayOpen) return <span className={classes.free}>{what}</span>;
  return (
    <Link
      to={`/consumption-sheets/create?room=${room.id}`}
      className={classes.free}
      aria-label={t('ward.openIn', { room: room.name, status })}
    >
      <span>{what}</span>
      <IconPlus size={18} aria-hidden className={classes.plus} />
    </Link>
  );
}
