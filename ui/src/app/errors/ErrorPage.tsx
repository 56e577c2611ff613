import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router-dom';
import { onConnectivityChange } from '@/api/connectivity';
import { useLazyReadSettingsQuery } from '@/api/lazy';
import { isUnreachable } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { ErrorNotice } from './ErrorNotice';

/** How often an unreachable server is polled, because not every network fires `online`, in milliseconds. */
const RETRY_INTERVAL_MS = 15_000;

/** The error page of a route. */
export function ErrorPage() {
  const t = useText();
  const error = useRouteError();
  const unreachable = isUnreachable(error);
  const [readSettings] = useLazyReadSettingsQuery({ selectFromResult: () => ({}) });
  useEffect(() => {
    if (!unreachable) return;
    const timer = window.setInterval(async () => {
      // The device may answer in place of the server.
      let isThere = false;
      const stop = onConnectivityChange((answered) => {
        isThere ||= answered;
      });
      await readSettings();
      stop();
      if (isThere) window.location.reload();
    }, RETRY_INTERVAL_MS);
    return () => window.clearInterval(timer);
  }, [unreachable, readSettings]);

  return (
    <ErrorNotice
      error={error}
      status={isRouteErrorResponse(error) ? error.status : undefined}
      home={
        <Button component={Link} to={unreachable ? '/consumption-sheets' : '/'} variant="default">
          {t(unreachable ? 'offline.seeSheets' : 'nav.home')}
        </Button>
      }
    />
  );
}
