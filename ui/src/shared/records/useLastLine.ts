import { serverNow } from '@/api/serverClock';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

/** Return a function that says when the last line was recorded: how long ago today, otherwise the day. */
export function useLastLine() {
  const t = useText();
  const format = useFormat();
  return (at: string | null | undefined) => {
    if (!at) return t('home.nothingRecorded');
    const now = serverNow();
    const day = format.dayOf(at);
    if (day !== format.dayOf(now)) return t('ward.lastOn', { day: format.shortDay(day) });
    const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 60_000));
    return minutes < 60
      ? t('ward.minutesAgo', { minutes })
      : t('ward.hoursAgo', { hours: Math.floor(minutes / 60) });
  };
}
