import { Alert } from '@mantine/core';
import { IconWifiOff } from '@tabler/icons-react';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

interface Props {
  seen: object | undefined;
  /** What the copy lacks. */
  lacks?: MessageId | false;
}

/** Notice that the page shows an offline copy from this device. */
export function OfflineCopyNotice({ seen, lacks }: Props) {
  const t = useText();
  const told = useOfflineCopyText(seen);
  if (!told) return null;
  return (
    <Alert icon={<IconWifiOff aria-hidden />} color="yellow" role="status">
      {[t('offline.noConnection'), told, lacks && t(lacks)].filter(Boolean).join(' ')}
    </Alert>
  );
}

/** Return when the copy was made; null for data from the server. */
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
