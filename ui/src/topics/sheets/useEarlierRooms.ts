import { useIntl } from 'react-intl';
import type { SheetView } from '@/api/generated';
import { useHospitalClock } from '@/i18n/hospitalClock';

/** Describe the patient's earlier rooms, if any: `UCI 201 (18–20 nov) → `. */
export function useEarlierRooms({ stays = [] }: Pick<SheetView, 'stays'>) {
  const { formatDateTimeRange } = useIntl();
  const clock = useHospitalClock();
  return stays
    .slice(0, -1)
    .map(({ room, from, until }) => {
      const days = formatDateTimeRange(clock.at(from), clock.at(until ?? from), {
        day: 'numeric',
        month: 'short',
        timeZone: clock.timeZone,
      });
      return `${room.name} (${days}) → `;
    })
    .join('');
}
