import type { ComponentType } from 'react';
import { Outlet, type RouteObject } from 'react-router-dom';
// Cache tags must be registered before the first query.
import '@/api/tags';
import { throwUnreachable } from '@/api/problem';
import SheetDetailsPage from '@/features/sheet-page/SheetDetailsPage';
import { withLaterTexts } from '@/i18n/messages';
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
    list: withLaterTexts(() => import('@/features/kits/KitsPage')),
    create: ['kits.create', withLaterTexts(() => import('@/features/kits/CreateKitPage'))],
    show: ['kits.one', withLaterTexts(() => import('@/features/kits/KitPage'))],
    edit: ['kits.edit', withLaterTexts(() => import('@/features/kits/EditKitPage'))],
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
                        withLaterTexts(() => import('@/features/worklist/WorklistPage')),
                      ]),
                    ],
                  },
                  {
                    element: <RequirePermission permission="details.add" />,
                    children: [
                      page('shift', [
                        'shift.title',
                        withLaterTexts(() => import('@/features/shift/ShiftPage')),
                      ]),
                    ],
                  },
                  {
                    path: 'consumption-sheets',
                    handle: named('sheets.title'),
                    children: [
                      { index: true, ...lazyPage(() => import('@/features/sheets/SheetsPage')) },
                      {
                        path: 'create',
                        handle: named('sheets.open'),
                        ...lazyPage(() => import('@/features/sheets/form/OpenSheetPage')),
                      },
                      {
                        element: <RequirePermission permission="patients.save" />,
                        children: [
                          page('unidentified', [
                            'unidentified.admit',
                            () => import('@/features/sheets/form/AdmitUnidentifiedPage'),
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
                              withLaterTexts(() => import('@/features/sheets/closed/ClosedSheetsPage')),
                            ),
                          },
                          page('paper', [
                            'paper.title',
                            withLaterTexts(() => import('@/features/sheets/closed/PaperPage')),
                          ]),
                          {
                            path: ':id',
                            handle: named('sheets.closed.one'),
                            ...lazyPage(
                              withLaterTexts(() => import('@/features/sheets/closed/ClosedSheetPage')),
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
                            ...lazyPage(
                              withLaterTexts(() => import('@/features/contingency-forms/FormsPage')),
                            ),
                          },
                          {
                            path: ':id',
                            ...lazyPage(
                              withLaterTexts(() => import('@/features/contingency-forms/FormPage')),
                            ),
                          },
                        ],
                      },
                      { path: ':id', ...lazyPage(() => import('@/features/sheets/SheetPage')) },
                      {
                        path: ':id/edit',
                        handle: named('sheets.edit'),
                        ...lazyPage(() => import('@/features/sheets/form/EditSheetPage')),
                      },
                      {
                        element: <RequirePermission permission="sheets.history" />,
                        children: [
                          page(':id/history', [
                            'sheets.history.title',
                            withLaterTexts(() => import('@/features/sheets/SheetHistoryPage')),
                          ]),
                        ],
                      },
                    ],
                  },
                  {
                    path: 'consumption-sheet-details',
                    handle: named('details.all'),
                    children: [
                      { index: true, ...lazyPage(() => import('@/features/details/DetailsPage')) },
                      page(':id', ['details.one', () => import('@/features/details/DetailPage')]),
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
                            () => import('@/features/details/CreateDetailPage'),
                          ]),
                        ],
                      },
                      {
                        element: <RequirePermission permission="details.edit" />,
                        children: [
                          page(':id/edit', [
                            'details.edit',
                            () => import('@/features/details/EditDetailPage'),
                          ]),
                        ],
                      },
                    ],
                  },
                  crudRoutes('patients', 'patients.title', 'patients.save', {
                    list: withLaterTexts(() => import('@/features/patients/PatientsPage')),
                    create: [
                      'patients.create',
                      withLaterTexts(() => import('@/features/patients/PatientFormPage')),
                    ],
                    show: ['patients.one', withLaterTexts(() => import('@/features/patients/PatientPage'))],
                    edit: [
                      'patients.edit',
                      withLaterTexts(() => import('@/features/patients/PatientFormPage')),
                    ],
                    more: [
                      {
                        element: <RequirePermission permission="patients.readers" />,
                        children: [
                          page(':id/readers', [
                            'readers.title',
                            withLaterTexts(() => import('@/features/patients/ReadersPage')),
                          ]),
                        ],
                      },
                      {
                        element: <RequirePermission permission="patients.save" />,
                        children: [
                          page(':id/identify', [
                            'unidentified.identify',
                            withLaterTexts(() => import('@/features/patients/IdentifyPage')),
                          ]),
                        ],
                      },
                      {
                        element: <RequirePermission permission="patients.merge" />,
                        children: [
                          page(':id/merge', [
                            'merge.title',
                            withLaterTexts(() => import('@/features/patients/MergePage')),
                          ]),
                        ],
                      },
                    ],
                  }),
                  {
                    element: <RequirePermission permission="staff.manage" />,
                    children: [
                      crudRoutes('staff', 'staff.title', 'staff.manage', {
                        list: withLaterTexts(() => import('@/features/staff/StaffListPage')),
                        create: [
                          'staff.create',
                          withLaterTexts(() => import('@/features/staff/StaffFormPage')),
                        ],
                        show: ['staff.one', withLaterTexts(() => import('@/features/staff/StaffPage'))],
                        edit: ['staff.edit', withLaterTexts(() => import('@/features/staff/StaffFormPage'))],
                      }),
                    ],
                  },
                  crudRoutes('areas', 'areas.title', 'catalogue.manage', {
                    list: withLaterTexts(() => import('@/features/areas/AreasPage')),
                    create: ['areas.create', withLaterTexts(() => import('@/features/areas/AreaFormPage'))],
                    show: ['areas.one', withLaterTexts(() => import('@/features/areas/AreaPage'))],
                    edit: ['areas.edit', withLaterTexts(() => import('@/features/areas/AreaFormPage'))],
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
                        withLaterTexts(() => import('@/features/hospital/HospitalPage')),
                      ]),
                    ],
                  },
                  {
                    element: <RequirePermission permission="audit.read" />,
                    children: [
                      page('audit', [
                        'audit.title',
                        withLaterTexts(() => import('@/features/audit/AuditPage')),
                      ]),
                    ],
                  },
                  {
                    element: <RequirePermission permission="status.read" />,
                    children: [
                      page('status', [
                        'status.title',
                        withLaterTexts(() => import('@/features/status/StatusPage')),
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
                            ...lazyPage(
                              withLaterTexts(() => import('@/features/sheet-page/practice/PracticePage')),
                            ),
                          },
                          page('codes', [
                            'practice.codes.title',
                            withLaterTexts(() => import('@/features/sheet-page/practice/PracticeCodesPage')),
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
                        withLaterTexts(() => import('@/features/scanner-test/ScannerTestPage')),
                      ]),
                      {
                        element: <RequirePermission permission="kits.own" />,
                        children: [kits('kits.mine', 'kits.own')],
                      },
                    ],
                  },
                  crudRoutes('rooms', 'rooms.title', 'catalogue.manage', {
                    list: withLaterTexts(() => import('@/features/rooms/RoomsPage')),
                    create: ['rooms.create', withLaterTexts(() => import('@/features/rooms/RoomFormPage'))],
                    show: ['rooms.one', withLaterTexts(() => import('@/features/rooms/RoomPage'))],
                    edit: ['rooms.edit', withLaterTexts(() => import('@/features/rooms/RoomFormPage'))],
                    more: [
                      {
                        element: <RequirePermission permission="catalogue.manage" />,
                        children: [
                          page('several', [
                            'rooms.createSeveral',
                            withLaterTexts(() => import('@/features/rooms/RoomRangesPage')),
                          ]),
                        ],
                      },
                    ],
                  }),
                  crudRoutes('products', 'products.title', 'catalogue.manage', {
                    list: withLaterTexts(() => import('@/features/products/ProductsPage')),
                    create: [
                      'products.create',
                      withLaterTexts(() => import('@/features/products/ProductFormPage')),
                    ],
                    show: ['products.one', withLaterTexts(() => import('@/features/products/ProductPage'))],
                    edit: [
                      'products.edit',
                      withLaterTexts(() => import('@/features/products/ProductFormPage')),
                    ],
                    more: [
                      page('categories', [
                        'categories.title',
                        withLaterTexts(() => import('@/features/products/CategoriesPage')),
                      ]),
                      {
                        element: <RequirePermission permission="catalogue.manage" />,
                        children: [
                          page('unknown-codes', [
                            'codes.unknown',
                            withLaterTexts(() => import('@/features/products/UnknownCodesPage')),
                          ]),
                          page('typed', [
                            'typed.title',
                            withLaterTexts(() => import('@/features/products/TypedProductsPage')),
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
                        withLaterTexts(() => import('@/features/implants/ImplantsPage')),
                      ]),
                    ],
                  },
                  {
                    element: <RequirePermission permission="recalls.manage" />,
                    children: [
                      crudRoutes('recalls', 'recalls.title', 'recalls.manage', {
                        list: withLaterTexts(() => import('@/features/recalls/RecallsPage')),
                        create: [
                          'recalls.create',
                          withLaterTexts(() => import('@/features/recalls/RecallFormPage')),
                        ],
                        show: ['recalls.one', withLaterTexts(() => import('@/features/recalls/RecallPage'))],
                        edit: [
                          'recalls.edit',
                          withLaterTexts(() => import('@/features/recalls/RecallFormPage')),
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
                            ...lazyPage(withLaterTexts(() => import('@/features/restock/RestockPage'))),
                          },
                          page('lists', [
                            'restock.lists',
                            withLaterTexts(() => import('@/features/restock/ClosedListsPage')),
                          ]),
                          page('lists/:id', [
                            'restock.one',
                            withLaterTexts(() => import('@/features/restock/ClosedListPage')),
                          ]),
                          {
                            element: <RequirePermission permission="catalogue.manage" />,
                            children: [
                              page('shelves', [
                                'restock.shelves',
                                withLaterTexts(() => import('@/features/restock/ShelvesPage')),
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
                        withLaterTexts(() => import('@/features/messages/InboundMessagesPage')),
                      ]),
                      page('messages/outbound', [
                        'outbound.title',
                        withLaterTexts(() => import('@/features/messages/OutboundMessagesPage')),
                      ]),
                    ],
                  },
                  {
                    element: <RequirePermission permission="reports.read" />,
                    children: [
                      page('reports/consumption', [
                        'reports.title',
                        withLaterTexts(() => import('@/features/reports/ConsumptionReportPage')),
                      ]),
                      {
                        element: <RequirePermission permission="imports.run" />,
                        children: [
                          page('reports/reconciliation', [
                            'reconciliation.title',
                            withLaterTexts(
                              () => import('@/features/imports/reconciliation/ReconciliationPage'),
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
                            ...lazyPage(withLaterTexts(() => import('@/features/imports/ImportsPage'))),
                          },
                          page('create', [
                            'imports.create',
                            withLaterTexts(() => import('@/features/imports/ImportFilePage')),
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
