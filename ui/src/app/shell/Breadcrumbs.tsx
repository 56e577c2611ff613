import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link, type UIMatch, useLocation, useMatches } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { usePageName } from '@/shared/ui/pageName';
import classes from './AppLayout.module.css';

export interface RouteHandle {
  /** The text of this part of the path. The path's parameters (`id`, …) fill its placeholders. */
  title: MessageId;
}

/** The current path as the page's title, the parents first. */
export function Breadcrumbs() {
  const t = useText();
  const { pathname } = useLocation();
  const named = (useMatches() as UIMatch<unknown, RouteHandle | undefined>[]).filter(
    ({ handle }) => handle?.title,
  );
  const name = ({ handle, params }: (typeof named)[number]) =>
    handle ? t(handle.title, params as Record<string, string>) : '';
  const here = named.at(-1);
  const title = here ? name(here) : t('loading');
  const thing = usePageName();
  const crumbs = named.slice(0, -1).map((match) => ({ to: match.pathname, label: name(match) }));
  // `/areas/4/edit` is part of `/areas/4`.
  if (thing?.isPart) crumbs.push({ to: pathname.replace(/\/[^/]+$/, ''), label: thing.name });
  const back = crumbs.at(-1);

  // Announce a new page, unless one of its fields already took the focus.
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
      {/* No patient's name in the document title: browser tabs and the history show it. */}
      <title>{`${title} · Consumo`}</title>
      {back && (
        <Link to={back.to} className={classes.back} aria-label={t('nav.backTo', { place: back.label })}>
          <IconArrowLeft aria-hidden />
        </Link>
      )}
      {crumbs.map(({ to, label }) => (
        <Link key={`${to} ${label}`} to={to} className={classes.crumb}>
          {label}
        </Link>
      ))}
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        {thing && !thing.isPart ? thing.name : title}
      </h1>
    </div>
  );
}
