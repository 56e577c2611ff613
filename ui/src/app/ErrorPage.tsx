import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router-dom';
import { Failure } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { signedOut } from '@/session/session';

const SIGN_OUT_AFTER = 1000;

export function ErrorPage() {
  const t = useText();
  const error = useRouteError();
  const dispatch = useDispatch();
  const status = error instanceof Failure || isRouteErrorResponse(error) ? error.status : null;
  const denied = status === 401 || status === 403;

  useEffect(() => {
    if (!denied) return;
    const timer = window.setTimeout(() => dispatch(signedOut()), SIGN_OUT_AFTER);
    return () => window.clearTimeout(timer);
  }, [denied, dispatch]);

  const unreachable = error instanceof Failure && error.status === null;
  const text = unreachable ? t('error.unreachable') : error instanceof Error ? error.message : '';
  return (
    <Stack align="center" gap="md" px="md" py={64} ta="center" role="alert">
      <Title order={2}>{t('error.title')}</Title>
      <Text>{t('error.unexpected')}</Text>
      {text && (
        <Text c="dimmed" fs="italic">
          {text}
        </Text>
      )}
      {!denied && (
        <Group justify="center">
          <Button component={Link} to="/" variant="default">
            {t('nav.home')}
          </Button>
          <Button onClick={() => window.location.reload()}>{t('action.retry')}</Button>
        </Group>
      )}
    </Stack>
  );
}
