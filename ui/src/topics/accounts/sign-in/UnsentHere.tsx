import { Alert, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useText } from '@/i18n/useText';
import { othersOnDevice } from '@/outbox/others';
import type { Other } from '@/outbox/outboxSlice';

/**
 * Show at sign-in whose entries wait on this device.
 *
 * Their contents are never shown.
 */
export function UnsyncedNotice() {
  const t = useText();
  const [found, setFound] = useState<Other[]>([]);
  useEffect(() => {
    othersOnDevice(null).then(setFound, () => {});
  }, []);
  if (found.length === 0) return null;
  return (
    <Alert color="yellow" variant="light">
      <Stack gap={4}>
        {found.map(({ userId, name, count }) => (
          <Text key={userId} size="sm">
            {t('outbox.signIn', { name, count })}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
