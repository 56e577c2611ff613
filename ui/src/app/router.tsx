import type { RouteObject } from 'react-router-dom';
// Cache tags must be registered before the first query.
import '@/api/tags';
import { PageLoader } from '@/shared/ui/PageLoader';
import { RequireSession } from '@/topics/accounts/guards';
import { ErrorPage } from './errors/ErrorPage';
import { RequireNumericParams } from './errors/RequireNumericParams';
import { IdleLock } from './lock/LockScreen';
import { accountRoutes, signInRoutes } from './routes/accounts';
import { catalogueRoutes } from './routes/catalogue';
import { hospitalRoutes } from './routes/hospital';
import { lazyPage, page } from './routes/parts';
import { peopleRoutes } from './routes/people';
import { sheetRoutes } from './routes/sheets';
import { workRoutes } from './routes/work';
import { AppLayout } from './shell/AppLayout';

/**
 * All routes of the application.
 *
 * All but the login load on the first visit.
 */
export const makeRoutes = (): RouteObject[] => [
  {
    element: <IdleLock />,
    errorElement: <ErrorPage />,
    hydrateFallbackElement: <PageLoader />,
    children: [
      signInRoutes(),
      {
        element: <RequireSession />,
        children: [
          {
            Component: AppLayout,
            // The children have no path, so the error page replaces the page but keeps the navigation.
            children: [
              {
                errorElement: <ErrorPage />,
                Component: RequireNumericParams,
                children: [
                  { index: true, ...lazyPage(() => import('./HomePage')), handle: { title: 'home.title' } },
                  ...workRoutes(),
                  ...sheetRoutes(),
                  ...peopleRoutes(),
                  ...catalogueRoutes(),
                  ...accountRoutes(),
                  ...hospitalRoutes(),
                  page('*', 'notFound.title', () => import('./errors/NotFoundPage')),
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];
