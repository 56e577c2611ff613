import { Alert } from '@mantine/core';
import IconWifiOff from '@tabler/icons-react/dist/esm/icons/IconWifiOff.mjs';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

/** Says of what stands on the page that it comes from this device, as there is no network; nothing where it does not. */
export function OfflineCopyNotice({ seen }: { seen: object | undefined }) {
  const t = useText();
  const told = useOfflineCopyText(seen);
  if (!told) return null;
  return (
    <Alert icon={<IconWifiOff aria-hidden />} color="yellow" role="status">
      {`${t('offline.noConnection')} ${told}`}
    </Alert>
  );
}

/** When that was seen; null where it comes from the server. */
export function useOfflineCopyText(seen: object | undefined) {
  const t = useText();
  const format = useFormat();
  const { seen_at: at } = (seen ?? {}) as { seen_at?: string };
  if (!at) return null;
  const isToday = format.dayOf(at) === format.dayOf(new Date());
  return isToday
    ? t('offline.lastSeen', { at: format.time(at) })
    : t('offline.lastSeenOn', { at: format.moment(at) });
}
