import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import { generatedApi, type SheetView } from '@/api/generated';
import { foldText } from '@/i18n/foldText';
import { useText } from '@/i18n/useText';
import { useAppDispatch } from '@/state/storeHooks';
import classes from './SheetHead.module.css';

const { listSheets } = generatedApi.endpoints;

/** The maximum number of rooms to name. */
const MAX_ROOMS = 3;
const LIMIT = 10;

/**
 * Normalise a surname for comparison.
 *
 * Case and accents are removed, and letters that sound alike become one.
 */
const soundOf = (surname: string) => foldText(surname.trim()).replaceAll('z', 's').replaceAll('v', 'b');

/** Warn of other patients on open sheets who have the same first surname. */
export function Namesakes({ sheet }: { sheet: SheetView }) {
  const t = useText();
  const { formatList } = useIntl();
  const dispatch = useAppDispatch();
  const [rooms, setRooms] = useState<string[]>([]);
  const { id, patient_id } = sheet;
  const surname = sheet.patient.first_surname;
  // Only a copy stored on this device has `seen_at`.
  const isAsked = !sheet.closed && !('seen_at' in sheet);
  useEffect(() => {
    if (!isAsked) return;
    let isShown = true;
    // Fetched once without a subscription: recording a line invalidates every list of sheets.
    const asked = dispatch(
      listSheets.initiate({ q: surname, limit: LIMIT }, { subscribe: false, forceRefetch: true }),
    );
    asked.then(({ data }) => {
      const others = (data?.items ?? []).filter(
        (other) =>
          other.id !== id &&
          other.patient_id !== patient_id &&
          soundOf(other.patient.first_surname) === soundOf(surname),
      );
      if (isShown) setRooms(others.map(({ room }) => room.name));
    });
    return () => {
      isShown = false;
    };
  }, [dispatch, isAsked, id, patient_id, surname]);
  if (rooms.length === 0) return null;
  return (
    <span className={classes.namesakes}>
      {t('details.namesakes', {
        count: rooms.length,
        surname,
        rooms: formatList(rooms.slice(0, MAX_ROOMS), { type: 'conjunction' }),
      })}
    </span>
  );
}
