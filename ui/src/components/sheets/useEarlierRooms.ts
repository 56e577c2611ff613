import { useIntl } from 'react-intl';
import type { SheetView } from '@/api/generated';
import { useReadSettingsQuery } from '@/api/generatedSignIn';

/** Describe the patient's earlier rooms, if any: `UCI 201 (18–20 nov) → `. */
export function useEarlierRooms({ stays = [] }: Pick<SheetView, 'stays'>) {
  const { formatDateTimeRange } = useIntl();
  const { data: settings } = useReadSettingsQuery();
  return stays
    .slice(0, -1)
    .map(({ room, from, until }) => {
      const days = formatDateTimeRange(new Date(from), new Date(until ?? from), {
        day: 'numeric',
        month: 'short',
        timeZone: settings?.time_zone,
      });
      return `${room.name} (${days}) → `;
    })
    .join('');
}
