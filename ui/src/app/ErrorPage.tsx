import { Button } from '@mantine/core';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import { ErrorNotice } from './ErrorNotice';

/** The error page of a route. */
export function ErrorPage() {
  const t = useText();
  const error = useRouteError();
  return (
    <ErrorNotice
      error={error}
      status={isRouteErrorResponse(error) ? error.status : undefined}
      home={
        <Button component={Link} to="/" variant="default">
          {t('nav.home')}
        </Button>
      }
    />
  );
}
