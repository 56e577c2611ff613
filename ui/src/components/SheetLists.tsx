import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { fullName } from './fullName';
import { LinkList } from './LinkList';
import { closedPageOf, detailsOf } from './sheetAddresses';

/** Of which room or area, as the server and as addresses name it. */
type Of = { roomId: number } | { areaId: number };

const filterOf = (of: Of) => ('roomId' in of ? `room=${of.roomId}` : `area=${of.areaId}`);

/** So many stand on the page of a room or an area; the list has all of them. */
const SHOWN = 8;

/** Who lies there: the open sheets. */
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

/** Who lay there: the closed sheets, the latest first. */
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
