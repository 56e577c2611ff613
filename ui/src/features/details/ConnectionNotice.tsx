import { Alert, Button, Group, Text } from '@mantine/core';
import IconCloudOff from '@tabler/icons-react/dist/esm/icons/IconCloudOff.mjs';
import { useOfflineCopyText } from '@/components/OfflineCopyNotice';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useAppSelector } from '@/storeHooks';

interface Props {
  /** The sheet that is shown, which may come from this device. */
  seen: object | undefined;
  /** How many of this sheet wait. */
  waiting: number;
  onSend: () => void;
}

/** Why what is entered is not sent in this moment: one goes on all the same. */
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
