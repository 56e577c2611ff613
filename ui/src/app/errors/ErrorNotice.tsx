import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { ApiError, isUnreachable } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { signedOut } from '@/session/session';

const SIGN_OUT_AFTER = 1000;

interface Props {
  error: unknown;
  /** The HTTP status, if the error itself has none. */
  status?: number | null;
  /** The link to the home page. */
  home: ReactNode;
}

export function ErrorNotice({
  error,
  status = error instanceof ApiError ? error.status : null,
  home,
}: Props) {
  const t = useText();
  const dispatch = useDispatch();
  const denied = status === 401 || status === 403;

  useEffect(() => {
    if (!denied) return;
    const timer = window.setTimeout(() => dispatch(signedOut()), SIGN_OUT_AFTER);
    return () => window.clearTimeout(timer);
  }, [denied, dispatch]);

  // A 404 is no failure: the address was wrong or the record was deleted. The text says which record.
  const missing = status === 404;
  const unreachable = isUnreachable(error);
  useEffect(() => {
    if (!unreachable) return;
    const openAgain = () => window.location.reload();
    window.addEventListener('online', openAgain);
    return () => window.removeEventListener('online', openAgain);
  }, [unreachable]);

  const text = unreachable ? t('error.offlineHint') : error instanceof Error ? error.message : '';
  return (
    <Stack align="center" gap="md" px="md" py={64} ta="center" role="alert">
      <Title order={2}>{t(unreachable ? 'error.offline' : 'error.title')}</Title>
      {!unreachable && <Text>{t('error.unexpected')}</Text>}
      {text && (
        <Text
          c={missing || unreachable ? undefined : 'dimmed'}
          fs={missing || unreachable ? undefined : 'italic'}
        >
          {text}
        </Text>
      )}
      {!denied && (
        <Group justify="center">
          {home}
          {!missing && <Button onClick={() => window.location.reload()}>{t('action.retry')}</Button>}
        </Group>
      )}
    </Stack>
  );
}
