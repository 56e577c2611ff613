import { serverNow } from '@/api/serverClock';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

const DAY_MS = 86_400_000;

/**
 * Return a function that says when the last line was recorded: how long ago today, otherwise the day.
 *
 * A copy of the device may lack later lines, so that it says only the day.
 */
export function useLastLine() {
  const t = useText();
  const format = useFormat();
  return (at: string | null | undefined, misses = false) => {
    if (!at) return t('home.nothingRecorded');
    const now = serverNow();
    const [day, today] = [format.dayOf(at), format.dayOf(now)];
    if (day !== today) {
      const isYesterday = !misses && Date.parse(today) - Date.parse(day) === DAY_MS;
      return isYesterday
        ? t('ward.lastYesterday', { time: format.time(at) })
        : t('ward.lastOn', { day: format.shortDay(day) });
    }
    if (misses) return '';
    const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 60_000));
    return minutes < 60
      ? t('ward.minutesAgo', { minutes })
      : t('ward.hoursAgo', { hours: Math.floor(minutes / 60) });
  };
}
