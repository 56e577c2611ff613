import { Alert, Button, Group, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useAppSelector } from '@/state/storeHooks';
import { useOfflineCopyText } from '@/topics/sheets/OfflineCopyNotice';

interface Props {
  /** The displayed sheet, which may be a copy stored on this device. */
  seen: object | undefined;
  /** How many entries of this sheet wait to be sent. */
  waiting: number;
  onSend: () => void;
}

/** Explain why entries are not being sent now; the user can continue. */
export function ConnectionNotice({ seen, waiting, onSend }: Props) {
  const t = useText();
  const format = useFormat();
  const { unreachableSince, isHeldUp, isKept } = useAppSelector((state) => state.outbox);
  const isBusy = unreachableSince === null && isHeldUp && waiting > 0;
  const lastSeen = useOfflineCopyText(seen);
  const { lines_missing: misses } = (seen ?? {}) as { lines_missing?: boolean };
  if (unreachableSince === null && !isBusy && isKept && !lastSeen) return null;
  return (
    <Alert
      color={isKept ? 'yellow' : 'red'}
      icon={<IconCloudOff aria-hidden />}
      role="status"
      variant="light"
    >
      <Group justify="space-between" gap="sm">
        <div>
          {unreachableSince !== null && (
            <Text>{t('outbox.offlineSince', { time: format.time(unreachableSince) })}</Text>
          )}
          {lastSeen && <Text>{lastSeen}</Text>}
          {misses && <Text>{t('offline.linesMissing')}</Text>}
          {isBusy && <Text>{t('outbox.heldUp', { count: waiting })}</Text>}
          {!isKept && <Text>{t('outbox.notKept')}</Text>}
        </div>
        {waiting > 0 && (
          <Button variant="default" onClick={onSend}>
            {t('outbox.sendNow')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
