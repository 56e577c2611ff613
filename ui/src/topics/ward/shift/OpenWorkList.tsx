import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { ShiftView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { detailsOf, pageOf } from '@/shared/records/sheetAddresses';
import { useAppSelector } from '@/state/storeHooks';
import { useNoticeTexts } from '@/topics/sheets/notices/notices';
import { openWorkOf } from './openWork';
import classes from './shift.module.css';

/** What the user has to finish: on this device, and lines that wait for a product. */
export function OpenWorkList({ shift }: { shift: ShiftView }) {
  const t = useText();
  const format = useFormat();
  const { placeOf } = useNoticeTexts();
  const userId = useSession().user?.id ?? 0;
  const lines = useAppSelector(({ outbox }) => outbox.lines);
  const work = useMemo(() => openWorkOf(userId, lines), [userId, lines]);
  const { sheets, unlisted_items: unlisted } = shift;
  /** The device stores no names: they are those of the shift. */
  const titleOf = (sheetId: number) => {
    const sheet =
      sheets.find(({ id }) => id === sheetId) ?? unlisted.find((item) => item.sheet.id === sheetId)?.sheet;
    return sheet ? placeOf(sheet) : t('outbox.sheet', { id: sheetId });
  };
  if (work.length === 0 && unlisted.length === 0)
    return (
      <Text c="dimmed" className={classes.nothing}>
        {t('shift.nothingOpen')}
      </Text>
    );
  return (
    <ul className={classes.list}>
      {work.map(({ sheetId, unsent, refused, unfinished, codes }) => (
        <li key={sheetId}>
          <Link to={detailsOf({ id: sheetId })} className={classes.open}>
            <span className={classes.name}>{titleOf(sheetId)}</span>
            <span className={classes.look}>
              {[
                refused > 0 && t('shift.refused', { count: refused }),
                unsent > 0 && t('shift.unsent', { count: unsent }),
                unfinished > 0 && t('shift.unfinished', { count: unfinished }),
                codes > 0 && t('shift.codes', { count: codes }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </Link>
        </li>
      ))}
      {unlisted.map(({ id, sheet, description, quantity, created_at }) => (
        <li key={`unlisted ${id}`}>
          <Link to={pageOf(sheet)} className={classes.open}>
            <span className={classes.name}>{placeOf(sheet)}</span>
            <span>{t('shift.unlisted', { what: format.counted(quantity, description) })}</span>
            <span className={classes.note}>{format.moment(created_at)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
