import { useEffect, useRef } from 'react';
import { Link, type UIMatch, useLocation, useMatches } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import classes from './AppLayout.module.css';

export interface RouteHandle {
  /** Names this part of the path; the path's parameters (`id`, …) fill its placeholders. */
  title: MessageId;
}

/** The current path as the page's title: what it is, after what it is part of. */
export function PathTitle() {
  const t = useText();
  const { pathname } = useLocation();
  const named = (useMatches() as UIMatch<unknown, RouteHandle | undefined>[]).filter(
    ({ handle }) => handle?.title,
  );
  const name = ({ handle, params }: (typeof named)[number]) =>
    handle ? t(handle.title, params as Record<string, string>) : '';
  const here = named.at(-1);
  const title = here ? name(here) : t('loading');

  // A new page is announced, unless one of its fields already took the focus.
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (document.activeElement === document.body || !document.activeElement?.closest('main'))
      heading.current?.focus();
  }, [pathname]);

  return (
    <div className={classes.breadcrumbs}>
      <title>{`${title} · Consumo`}</title>
      {named.slice(0, -1).map((match) => (
        <Link key={match.pathname} to={match.pathname}>
          {name(match)}
        </Link>
      ))}
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </h1>
    </div>
  );
}
