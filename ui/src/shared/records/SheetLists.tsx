import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { LinkList } from '@/shared/lists/LinkList';
import { fullName } from './fullName';
import { closedPageOf, detailsOf } from './sheetAddresses';

/** A room or an area, as query and link parameter. */
type Of = { roomId: number } | { areaId: number };

const filterOf = (of: Of) => ('roomId' in of ? `room=${of.roomId}` : `area=${of.areaId}`);

/** Sheets shown on the page of a room or an area. The linked list has all of them. */
const SHOWN = 8;

/** The open sheets of a room or an area. */
export function OpenSheetList({ of }: { of: Of }) {
  const t = useText();
  const format = useFormat();
  const sheets = useListSheetsQuery({ ...of, limit: SHOWN });
  throwOnError(sheets);
  return (
    <LinkList<SheetView>
      title="patients.openSheets"
      none="sheets.noneHere"
      more={`/consumption-sheets?${filterOf(of)}`}
      answer={sheets}
      link={(sheet) => ({
        to: detailsOf(sheet),
        name: fullName(sheet.patient),
        note: [sheet.room.name, t('rooms.since', { day: format.day(sheet.admission_date) })].join(' · '),
      })}
    />
  );
}

/** The closed sheets of a room or an area, newest first. */
export function ClosedSheetList({ of }: { of: Of }) {
  const t = useText();
  const format = useFormat();
  const sheets = useListSheetsQuery({ ...of, closed: true, limit: SHOWN });
  throwOnError(sheets);
  return (
    <LinkList<SheetView>
      title="patients.closedSheets"
      none="sheets.noneClosedHere"
      more={`/consumption-sheets/closed?${filterOf(of)}`}
      answer={sheets}
      link={(sheet) => ({
        to: closedPageOf(sheet),
        name: fullName(sheet.patient),
        note: [
          sheet.room.name,
          sheet.deleted_at && t('patients.closedOn', { day: format.day(format.dayOf(sheet.deleted_at)) }),
        ]
          .filter(Boolean)
          .join(' · '),
      })}
    />
  );
}
