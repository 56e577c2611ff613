import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useText } from '@/i18n/useText';
import { ErrorNotice } from './ErrorNotice';

/**
 * Error page for errors outside the router.
 *
 * These occur on the login page, or while the application loads.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { caught: { error: unknown } | null }> {
  override state: { caught: { error: unknown } | null } = { caught: null };

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } };
  }

  override render() {
    const { caught } = this.state;
    return caught ? <ErrorNotice error={caught.error} home={<HomeLink />} /> : this.props.children;
  }
}

function HomeLink() {
  const t = useText();
  return (
    <Button component="a" href="/" variant="default">
      {t('nav.home')}
    </Button>
  );
}
