import type { RouteObject } from 'react-router-dom';
import { expect, it } from 'vitest';
import manual from '../../../docs/manual/manual.json';
import { makeRoutes } from './router';

/** List the paths of all pages of the application. */
function paths(routes: RouteObject[], parent = ''): string[] {
  return routes.flatMap(({ path, index, children, lazy, Component }) => {
    const here = path ? `${parent}/${path}` : parent;
    const isPage = index || (!children && (lazy || Component));
    return [...(isPage ? [here || '/'] : []), ...paths(children ?? [], here)];
  });
}

it('has a page of the manual for each page of the application', () => {
  const pages = new Set(paths(makeRoutes()).map((path) => path.replace(/:\w+/g, ':id')));
  expect(pages.size).toBeGreaterThan(60);
  // The lock screen has no address.
  expect(Object.keys(manual.screens).sort()).toEqual([...pages, '/lock'].sort());
});
