import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { type NoticesView, useListNoticesQuery } from '@/api/generated';
import { useCan } from '@/session/useCan';

/** It is not kept for work without network: if it cannot be loaded, the page remains usable. */
const NoticesBar = lazy<ComponentType<NoticesView>>(() =>
  import('./NoticesBar').catch(() => ({ default: () => null })),
);

/**
 * Show what others changed on the user's lines, until it is marked as seen.
 *
 * Fetched with each page, not meanwhile: the bar must not move what the user is about to press.
 */
export function Notices() {
  const mayRead = useCan('sheets.read');
  const { pathname } = useLocation();
  const { data, refetch } = useListNoticesQuery(undefined, { skip: !mayRead });
  const shownAt = useRef(pathname);
  useEffect(() => {
    if (!mayRead || shownAt.current === pathname) return;
    shownAt.current = pathname;
    refetch();
  }, [mayRead, pathname, refetch]);
  if (!data || data.items.length === 0) return null;
  return (
    <Suspense>
      <NoticesBar {...data} />
    </Suspense>
  );
}
