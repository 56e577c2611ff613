import { Alert } from '@mantine/core';
import IconWifiOff from '@tabler/icons-react/dist/esm/icons/IconWifiOff.mjs';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

/** Says of what stands on the page that it comes from this device, as there is no network; nothing where it does not. */
export function LastSeen({ seen }: { seen: object | undefined }) {
  const t = useText();
  const format = useFormat();
  const { seen_at: at } = (seen ?? {}) as { seen_at?: string };
  if (!at) return null;
  const isToday = format.dayOf(at) === format.dayOf(new Date());
  return (
    <Alert icon={<IconWifiOff aria-hidden />} color="gray" role="status">
      {isToday
        ? t('offline.lastSeen', { at: format.time(at) })
        : t('offline.lastSeenOn', { at: format.moment(at) })}
    </Alert>
  );
}
