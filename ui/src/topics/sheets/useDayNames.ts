import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import { useText } from '@/i18n/useText';

/** Return a function that names days by month, such as `22, 23 y 24 nov; 1 dic`. */
export function useDayNames() {
  const t = useText();
  const { formatList, formatDate } = useIntl();
  return useCallback(
    (days: string[]) =>
      [...new Set(days.map((day) => day.slice(0, 7)))]
        .map((month) =>
          t('sheets.daysOfMonth', {
            days: formatList(
              days.filter((day) => day.startsWith(month)).map((day) => String(Number(day.slice(8)))),
            ),
            month: formatDate(`${month}-01T00:00:00Z`, { month: 'short', timeZone: 'UTC' }),
          }),
        )
        .join('; '),
    [t, formatList, formatDate],
  );
}
