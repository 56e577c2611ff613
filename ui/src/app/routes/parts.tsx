import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { throwUnreachable } from '@/api/problem';
import type { Permission } from '@/session/useCan';
import { RequirePermission } from '@/topics/accounts/guards';
import type { RouteHandle } from '../shell/Breadcrumbs';

type Title = RouteHandle['title'];
type Page = () => Promise<{ default: ComponentType }>;
type NamedPage = [title: Title, page: Page];

const named = (title: Title): RouteHandle => ({ title });

/** Lazy route of the default export of a file, loaded on the first visit. */
export const lazyPage = (load: Page) => ({
  // The router shows nothing at all if a separately loaded part of a route (`lazy: { Component }`) fails.
  lazy: async () => ({ Component: (await load().catch(throwUnreachable)).default }),
});

export const indexPage = (load: Page): RouteObject => ({ index: true, ...lazyPage(load) });

export const page = (path: string, title: Title, load: Page): RouteObject => ({
  path,
  handle: named(title),
  ...lazyPage(load),
});

/** Pages under a path that has a name of its own. */
export const section = (path: string, title: Title, ...children: RouteObject[]): RouteObject => ({
  path,
  handle: named(title),
  children,
});

export const permitted = (permission: Permission, ...children: RouteObject[]): RouteObject => ({
  element: <RequirePermission permission={permission} />,
  children,
});

/**
 * Create the four pages of a record type.
 *
 * They are the list, the record and, with a permission, the forms to create and edit.
 */
export const crudRoutes = (
  path: string,
  title: Title,
  write: Permission,
  pages: { list: Page; create: NamedPage; show: NamedPage; edit: NamedPage; more?: RouteObject[] },
): RouteObject =>
  section(
    path,
    title,
    indexPage(pages.list),
    ...(pages.more ?? []),
    page(':id', ...pages.show),
    permitted(write, page('create', ...pages.create), page(':id/edit', ...pages.edit)),
  );
