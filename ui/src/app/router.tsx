import type { ComponentType } from 'react';
import { Outlet, type RouteObject } from 'react-router-dom';
// Cache tags must be registered before the first query.
import '@/api/tags';
import { throwUnreachable } from '@/api/problem';
import { withLaterTexts } from '@/i18n/messages';
import SheetDetailsPage from '@/recording/SheetDetailsPage';
import type { Permission } from '@/session/useCan';
import { PageLoader } from '@/shared/ui/PageLoader';
import { RequirePermission, RequireSession, RequireSignedOut } from '@/topics/accounts/guards';
import { LoginPage } from '@/topics/accounts/sign-in/LoginPage';
import { ErrorPage } from './errors/ErrorPage';
import { RequireNumericParams } from './errors/RequireNumericParams';
import { IdleLock } from './lock/LockScreen';
import { AppLayout } from './shell/AppLayout';
import { AuthLayout } from './shell/AuthLayout';
import type { RouteHandle } from './shell/Breadcrumbs';

const named = (title: RouteHandle['title']): RouteHandle => ({ title });

type Page = () => Promise<{ default: ComponentType }>;
type NamedPage = [title: RouteHandle['title'], page: Page];

/** Lazy route of the default export of a file, loaded on the first visit. */
const lazyPage = (load: Page) => ({
  // The router shows nothing at all if a separately loaded part of a route (`lazy: { Component }`) fails.
  lazy: async () => ({ Component: (await load().catch(throwUnreachable)).default }),
});

const page = (path: string, [title, load]: NamedPage): RouteObject => ({
  path,
  handle: named(title),
  ...lazyPage(load),
});

/**
 * Create the four pages of a record type.
 *
 * They are the list, the record and, with a permission, the forms to create and edit.
 */
const crudRoutes = (
  path: string,
  title: RouteHandle['title'],
  write: Permission,
  pages: { list: Page; create: NamedPage; show: NamedPage; edit: NamedPage; more?: RouteObject[] },
): RouteObject => ({
  path,
  handle: named(title),
  children: [
    { index: true, ...lazyPage(pages.list) },
    ...(pages.more ?? []),
    page(':id', pages.show),
    {
      element: <RequirePermission permission={write} />,
      children: [page('create', pages.create), page(':id/edit', pages.edit)],
    },
  ],
});

/** The hospital's kits and personal kits have the same pages. */
const kits = (title: RouteHandle['title'], write: Permission) =>
  crudRoutes('kits', title, write, {
    list: withLaterTexts(() => import('@/topics/catalogue/kits/KitsPage')),
    create: ['kits.create', withLaterTexts(() => import('@/topics/catalogue/kits/CreateKitPage'))],
    show: ['kits.one', withLaterTexts(() => import('@/topics/catalogue/kits/KitPage'))],
    edit: ['kits.edit', withLaterTexts(() => import('@/topics/catalogue/kits/EditKitPage'))],
  });

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
      {
        path: 'auth',
        element: (
          <AuthLayout>
            <Outlet />
          </AuthLayout>
        ),
        children: [
          {
            element: <RequireSignedOut />,
            children: ['', 'login'].map((path) => ({
              path,
              Component: LoginPage,
            })),
          },
          // For users without a session, and for a link that is opened where someone else is signed in.
          {
            path: 'reset-password',
            errorElement: <ErrorPage />,
            ...lazyPage(() => import('@/topics/accounts/sign-in/ResetPasswordPage')),
          },
          {
            path: 'first-administrator',
            errorElement: <ErrorPage />,
            ...lazyPage(() => import('@/topics/accounts/sign-in/FirstAdministratorPage')),
          },
          {
            path: 'passkey',
            errorElement: <ErrorPage />,
            ...lazyPage(withLaterTexts(() => import('@/topics/accounts/sign-in/PasskeyLinkPage'))),
          },
          {
            element: <RequireSession />,
            children: [
              {
                path: 'second-factor',
                errorElement: <ErrorPage />,
                ...lazyPage(withLaterTexts(() => import('@/topics/accounts/sign-in/SecondFactorPage'))),
              },
              {
                path: 'profile',
                errorElement: <ErrorPage />,
                ...lazyPage(() => import('@/topics/accounts/profile/ProfilePage')),
              },
            ],
          },
        ],
      },
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
                  { index: true, ...lazyPage(() => import('./HomePage')), handle: named('home.title') },
                  {
                    element: <RequirePermission permission="late_entries.manage" />,
                    children: [
                      page('worklist', [
                        'worklist.title',
                        withLaterTexts(() => import('@/topics/ward/worklist/WorklistPage')),
                      ]),
                    ],
                  },
                  {
                    element: <RequirePermission permission="details.add" />,
                    children: [
                      page('shift', [
                        'shift.title',
                        withLaterTexts(() => import('@/topics/ward/shift/ShiftPage')),
                      ]),
                    ],
                  },
                  {
                    path: 'consumption-sheets',
                    handle: named('sheets.title'),
                    children: [
                      { index: true, ...lazyPage(() => import('@/topics/sheets/SheetsPage')) },
                      {
                        path: 'create',
                        handle: named('sheets.open'),
                        ...lazyPage(() => import('@/topics/sheets/form/OpenSheetPage')),
                      },
                      {
                        element: <RequirePermission permission="patients.save" />,
                        children: [
                          page('unidentified', [
                            'unidentified.admit',
                            () => import('@/topics/sheets/form/AdmitUnidentifiedPage'),
                          ]),
                        ],
                      },
                      {
                        path: 'closed',
                        handle: named('sheets.closed.title'),
                        children: [
                          {
                            index: true,
                            ...lazyPage(
                              withLaterTexts(() => import('@/topics/sheets/closed/ClosedSheetsPage')),
                            ),
                          },
                          page('paper', [
                            'paper.title',
                            withLaterTexts(() => import('@/topics/sheets/closed/PaperPage')),
                          ]),
                          {
                            path: ':id',
                            handle: named('sheets.closed.one'),
                            ...lazyPage(
                              withLaterTexts(() => import('@/topics/sheets/closed/ClosedSheetPage')),
                            ),
                          },
                        ],
                      },
                      {
                        path: 'forms',
                        handle: named('forms.title'),
                        children: [
                          {
                            index: true,
                            ...lazyPage(withLaterTexts(() => import('@/topics/forms/FormsPage'))),
                          },
                          {
                            path: ':id',
                            ...lazyPage(withLaterTexts(() => import('@/topics/forms/FormPage'))),
                          },
                        ],
                      },
                      { path: ':id', ...lazyPage(() => import('@/topics/sheets/SheetPage')) },
                      {
                        path: ':id/edit',
                        handle: named('sheets.edit'),
                        ...lazyPage(() => import('@/topics/sheets/form/EditSheetPage')),
                      },
                      {
                        element: <RequirePermission permission="sheets.history" />,
                        children: [
                          page(':id/history', [
                            'sheets.history.title',
                            withLaterTexts(() => import('@/topics/history/SheetHistoryPage')),
                          ]),
                        ],
                      },
                    ],
                  },
                  {
                    path: 'consumption-sheet-details',
                    handle: named('details.all'),
                    children: [
                      { index: true, ...lazyPage(() => import('@/topics/sheets/line-pages/DetailsPage')) },
                      page(':id', ['details.one', () => import('@/topics/sheets/line-pages/DetailPage')]),
                      {
                        path: ':sheetId/consumption-details',
                        handle: named('details.title'),
                        Component: SheetDetailsPage,
                      },
                      {
                        element: <RequirePermission permission="details.add" />,
                        children: [
                          page('create', [
                            'details.create',
                            () => import('@/topics/sheets/line-pages/CreateDetailPage'),
                          ]),
                        ],
                      },
                      {
                        element: <RequirePermission permission="details.edit" />,
                        children: [
                          page(':id/edit', [
                            'details.edit',
                            () => import('@/topics/sheets/line-pages/EditDetailPage'),
                          ]),
                        ],
                      },
                    ],
                  },
                  crudRoutes('patients', 'patients.title', 'patients.save', {
                    list: withLaterTexts(() => import('@/topics/people/patients/PatientsPage')),
                    create: [
                      'patients.create',
                      withLaterTexts(() => import('@/topics/people/patients/PatientFormPage')),
                    ],
                    show: [
                      'patients.one',
                      withLaterTexts(() => import('@/topics/people/patients/PatientPage')),
                    ],
                    edit: [
                      'patients.edit',
                      withLaterTexts(() => import('@/topics/people/patients/PatientFormPage')),
                    ],
                    more: [
                      {
                        element: <RequirePermission permission="patients.readers" />,
                        children: [
                          page(':id/readers', [
                            'readers.title',
                            withLaterTexts(() => import('@/topics/history/ReadersPage')),
                          ]),
                        ],
                      },
                      {
                        element: <RequirePermission permission="patients.save" />,
                        children: [
                          page(':id/identify', [
                            'unidentified.identify',
                            withLaterTexts(() => import('@/topics/people/patients/IdentifyPage')),
                          ]),
                        ],
                      },
                      {
                        element: <RequirePermission permission="patients.merge" />,
                        children: [
                          page(':id/merge', [
                            'merge.title',
                            withLaterTexts(() => import('@/topics/people/patients/MergePage')),
                          ]),
                        ],
                      },
                    ],
                  }),
                  {
                    element: <RequirePermission permission="staff.manage" />,
                    children: [
                      crudRoutes('staff', 'staff.title', 'staff.manage', {
                        list: withLaterTexts(() => import('@/topics/people/staff/StaffListPage')),
                        create: [
                          'staff.create',
                          withLaterTexts(() => import('@/topics/people/staff/StaffFormPage')),
                        ],
                        show: ['staff.one', withLaterTexts(() => import('@/topics/people/staff/StaffPage'))],
                        edit: [
                          'staff.edit',
                          withLaterTexts(() => import('@/topics/people/staff/StaffFormPage')),
                        ],
                      }),
                    ],
                  },
                  crudRoutes('areas', 'areas.title', 'catalogue.manage', {
                    list: withLaterTexts(() => import('@/topics/catalogue/areas/AreasPage')),
                    create: [
                      'areas.create',
                      withLaterTexts(() => import('@/topics/catalogue/areas/AreaFormPage')),
                    ],
                    show: ['areas.one', withLaterTexts(() => import('@/topics/catalogue/areas/AreaPage'))],
                    edit: [
                      'areas.edit',
                      withLaterTexts(() => import('@/topics/catalogue/areas/AreaFormPage')),
                    ],
                  }),
                  {
                    element: <RequirePermission permission="users.manage" />,
                    children: [
                      crudRoutes('users', 'users.title', 'users.manage', {
                        list: withLaterTexts(() => import('@/topics/accounts/users/UsersPage')),
                        create: [
                          'users.create',
                          withLaterTexts(() => import('@/topics/accounts/users/UserFormPage')),
                        ],
                        show: ['users.one', withLaterTexts(() => import('@/topics/accounts/users/UserPage'))],
                        edit: [
                          'users.edit',
                          withLaterTexts(() => import('@/topics/accounts/users/UserFormPage')),
                        ],
                        more: [
                          page('cards', [
                            'users.cards.title',
                            withLaterTexts(() => import('@/topics/accounts/users/CardsPage')),
                          ]),
                        ],
                      }),
                    ],
                  },
                  {
                    element: <RequirePermission permission="service_accounts.manage" />,
                    children: [
                      {
                        path: 'service-accounts',
                        handle: named('programs.title'),
                        children: [
                          {
                            index: true,
                            ...lazyPage(
                              withLaterTexts(
                                () => import('@/topics/accounts/service-accounts/ServiceAccountsPage'),
                              ),
                            ),
                          },
                          page(':id/keys/create', [
                            'keys.create',
                            withLaterTexts(() => import('@/topics/accounts/service-accounts/CreateKeyPage')),
                          ]),
                        ],
                      },
                    ],
                  },
                  {
                    element: <RequirePermission permission="hospital.manage" />,
                    children: [
                      page('hospital', [
                        'hospital.title',
                        withLaterTexts(() => import('@/topics/hospital/HospitalPage')),
                      ]),
                    ],
                  },
                  {
                    element: <RequirePermission permission="audit.read" />,
                    children: [
                      page('audit', [
                        'audit.title',
                        withLaterTexts(() => import('@/topics/history/AuditPage')),
                      ]),
                    ],
                  },
                  {
                    element: <RequirePermission permission="status.read" />,
                    children: [
                      page('status', [
                        'status.title',
                        withLaterTexts(() => import('@/topics/status/StatusPage')),
                      ]),
                    ],
                  },
                  {
                    element: <RequirePermission permission="details.add" />,
                    children: [
                      {
                        path: 'practice',
                        handle: named('practice.title'),
                        children: [
                          {
                            index: true,
                            ...lazyPage(withLaterTexts(() => import('@/recording/practice/PracticePage'))),
                          },
                          page('codes', [
                            'practice.codes.title',
                            withLaterTexts(() => import('@/recording/practice/PracticeCodesPage')),
                          ]),
                        ],
                      },
                    ],
                  },
                  {
                    path: 'users/account',
                    handle: named('account.title'),
                    children: [
                      {
                        index: true,
                        ...lazyPage(withLaterTexts(() => import('@/topics/accounts/users/OwnAccountPage'))),
                      },
                      page('reader', [
                        'scannerTest.title',
                        withLaterTexts(() => import('@/topics/scanning/ScannerTestPage')),
                      ]),
                      {
                        element: <RequirePermission permission="kits.own" />,
                        children: [kits('kits.mine', 'kits.own')],
                      },
                    ],
                  },
                  crudRoutes('rooms', 'rooms.title', 'catalogue.manage', {
                    list: withLaterTexts(() => import('@/topics/catalogue/rooms/RoomsPage')),
                    create: [
                      'rooms.create',
                      withLaterTexts(() => import('@/topics/catalogue/rooms/RoomFormPage')),
                    ],
                    show: ['rooms.one', withLaterTexts(() => import('@/topics/catalogue/rooms/RoomPage'))],
                    edit: [
                      'rooms.edit',
                      withLaterTexts(() => import('@/topics/catalogue/rooms/RoomFormPage')),
                    ],
                    more: [
                      {
                        element: <RequirePermission permission="catalogue.manage" />,
                        children: [
                          page('several', [
                            'rooms.createSeveral',
                            withLaterTexts(() => import('@/topics/catalogue/rooms/RoomRangesPage')),
                          ]),
                        ],
                      },
                    ],
                  }),
                  crudRoutes('products', 'products.title', 'catalogue.manage', {
                    list: withLaterTexts(() => import('@/topics/catalogue/products/ProductsPage')),
                    create: [
                      'products.create',
                      withLaterTexts(() => import('@/topics/catalogue/products/ProductFormPage')),
                    ],
                    show: [
                      'products.one',
                      withLaterTexts(() => import('@/topics/catalogue/products/ProductPage')),
                    ],
                    edit: [
                      'products.edit',
                      withLaterTexts(() => import('@/topics/catalogue/products/ProductFormPage')),
                    ],
                    more: [
                      page('categories', [
                        'categories.title',
                        withLaterTexts(() => import('@/topics/catalogue/products/CategoriesPage')),
                      ]),
                      {
                        element: <RequirePermission permission="catalogue.manage" />,
                        children: [
                          page('unknown-codes', [
                            'codes.unknown',
                            withLaterTexts(() => import('@/topics/catalogue/products/UnknownCodesPage')),
                          ]),
                          page('typed', [
                            'typed.title',
                            withLaterTexts(() => import('@/topics/catalogue/products/TypedProductsPage')),
                          ]),
                        ],
                      },
                      {
                        element: <RequirePermission permission="kits.manage" />,
                        children: [kits('kits.title', 'kits.manage')],
                      },
                    ],
                  }),
                  {
                    element: <RequirePermission permission="implants.read" />,
                    children: [
                      page('implants', [
                        'implants.title',
                        withLaterTexts(() => import('@/topics/sheets/implants/ImplantsPage')),
                      ]),
                    ],
                  },
                  {
                    element: <RequirePermission permission="recalls.manage" />,
                    children: [
                      crudRoutes('recalls', 'recalls.title', 'recalls.manage', {
                        list: withLaterTexts(() => import('@/topics/catalogue/recalls/RecallsPage')),
                        create: [
                          'recalls.create',
                          withLaterTexts(() => import('@/topics/catalogue/recalls/RecallFormPage')),
                        ],
                        show: [
                          'recalls.one',
                          withLaterTexts(() => import('@/topics/catalogue/recalls/RecallPage')),
                        ],
                        edit: [
                          'recalls.edit',
                          withLaterTexts(() => import('@/topics/catalogue/recalls/RecallFormPage')),
                        ],
                      }),
                    ],
                  },
                  {
                    element: <RequirePermission permission="restock.close" />,
                    children: [
                      {
                        path: 'restock',
                        handle: named('restock.title'),
                        children: [
                          {
                            index: true,
                            ...lazyPage(withLaterTexts(() => import('@/topics/restock/RestockPage'))),
                          },
                          page('lists', [
                            'restock.lists',
                            withLaterTexts(() => import('@/topics/restock/ClosedListsPage')),
                          ]),
                          page('lists/:id', [
                            'restock.one',
                            withLaterTexts(() => import('@/topics/restock/ClosedListPage')),
                          ]),
                          {
                            element: <RequirePermission permission="catalogue.manage" />,
                            children: [
                              page('shelves', [
                                'restock.shelves',
                                withLaterTexts(() => import('@/topics/restock/ShelvesPage')),
                              ]),
                            ],
                          },
                        ],
                      },
                    ],
                  },
                  {
                    element: <RequirePermission permission="messages.read" />,
                    children: [
                      page('messages', [
                        'messages.title',
                        withLaterTexts(() => import('@/topics/messages/InboundMessagesPage')),
                      ]),
                      page('messages/outbound', [
                        'outbound.title',
                        withLaterTexts(() => import('@/topics/messages/OutboundMessagesPage')),
                      ]),
                    ],
                  },
                  {
                    element: <RequirePermission permission="reports.read" />,
                    children: [
                      page('reports/consumption', [
                        'reports.title',
                        withLaterTexts(() => import('@/topics/reports/ConsumptionReportPage')),
                      ]),
                      {
                        element: <RequirePermission permission="imports.run" />,
                        children: [
                          page('reports/reconciliation', [
                            'reconciliation.title',
                            withLaterTexts(
                              () => import('@/topics/imports/reconciliation/ReconciliationPage'),
                            ),
                          ]),
                        ],
                      },
                    ],
                  },
                  {
                    element: <RequirePermission permission="imports.run" />,
                    children: [
                      {
                        path: 'imports',
                        handle: named('imports.title'),
                        children: [
                          {
                            index: true,
                            ...lazyPage(withLaterTexts(() => import('@/topics/imports/ImportsPage'))),
                          },
                          page('create', [
                            'imports.create',
                            withLaterTexts(() => import('@/topics/imports/ImportFilePage')),
                          ]),
                        ],
                      },
                    ],
                  },
                  {
                    path: '*',
                    ...lazyPage(() => import('./errors/NotFoundPage')),
                    handle: named('notFound.title'),
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];
