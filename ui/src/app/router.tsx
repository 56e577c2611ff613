import type { ComponentType } from 'react';
import { Outlet, type RouteObject } from 'react-router-dom';
// What each answer makes stale, known before anything is asked.
import '@/api/tags';
import { PageLoader } from '@/components/PageLoader';
import { LoginPage } from '@/features/session/LoginPage';
import { RequirePermission, RequireSession, RequireVisitor } from '@/session/guards';
import type { Permission } from '@/session/useCan';
import { AppLayout } from './AppLayout';
import { AuthLayout } from './AuthLayout';
import { Covered } from './Cover';
import { ErrorPage } from './ErrorPage';
import type { RouteHandle } from './PathTitle';
import { RequireNumbers } from './RequireNumbers';

const named = (title: RouteHandle['title']): RouteHandle => ({ title });

const homePage = async () => (await import('./HomePage')).HomePage;
const sheetsPage = async () => (await import('@/features/sheets/SheetsPage')).SheetsPage;
const openSheetPage = async () => (await import('@/features/sheets/OpenSheetPage')).OpenSheetPage;
const sheetPage = async () => (await import('@/features/sheets/SheetPage')).SheetPage;
const editSheetPage = async () => (await import('@/features/sheets/EditSheetPage')).EditSheetPage;
const closedSheetsPage = async () => (await import('@/features/sheets/ClosedSheetsPage')).ClosedSheetsPage;
const closedSheetPage = async () => (await import('@/features/sheets/ClosedSheetPage')).ClosedSheetPage;
const sheetDetailsPage = async () => (await import('@/features/details/SheetDetailsPage')).SheetDetailsPage;
const sheetHistoryPage = async () => (await import('@/features/sheets/SheetHistoryPage')).SheetHistoryPage;
const detailsPage = async () => (await import('@/features/details/DetailsPage')).DetailsPage;
const detailPage = async () => (await import('@/features/details/DetailPage')).DetailPage;
const createDetailPage = async () => (await import('@/features/details/CreateDetailPage')).CreateDetailPage;
const editDetailPage = async () => (await import('@/features/details/EditDetailPage')).EditDetailPage;
const profilePage = async () => (await import('@/features/profile/ProfilePage')).ProfilePage;
const areasPage = async () => (await import('@/features/areas/AreasPage')).AreasPage;
const areaPage = async () => (await import('@/features/areas/AreaPage')).AreaPage;
const createAreaPage = async () => (await import('@/features/areas/CreateAreaPage')).CreateAreaPage;
const editAreaPage = async () => (await import('@/features/areas/EditAreaPage')).EditAreaPage;
const resetPasswordPage = async () =>
  (await import('@/features/session/ResetPasswordPage')).ResetPasswordPage;
const usersPage = async () => (await import('@/features/users/UsersPage')).UsersPage;
const userPage = async () => (await import('@/features/users/UserPage')).UserPage;
const createUserPage = async () => (await import('@/features/users/CreateUserPage')).CreateUserPage;
const editUserPage = async () => (await import('@/features/users/EditUserPage')).EditUserPage;
const ownAccountPage = async () => (await import('@/features/users/OwnAccountPage')).OwnAccountPage;
const roomsPage = async () => (await import('@/features/rooms/RoomsPage')).RoomsPage;
const roomPage = async () => (await import('@/features/rooms/RoomPage')).RoomPage;
const createRoomPage = async () => (await import('@/features/rooms/CreateRoomPage')).CreateRoomPage;
const editRoomPage = async () => (await import('@/features/rooms/EditRoomPage')).EditRoomPage;
const productsPage = async () => (await import('@/features/products/ProductsPage')).ProductsPage;
const productPage = async () => (await import('@/features/products/ProductPage')).ProductPage;
const createProductPage = async () =>
  (await import('@/features/products/CreateProductPage')).CreateProductPage;
const editProductPage = async () => (await import('@/features/products/EditProductPage')).EditProductPage;
const categoriesPage = async () => (await import('@/features/products/CategoriesPage')).CategoriesPage;
const patientsPage = async () => (await import('@/features/patients/PatientsPage')).PatientsPage;
const patientPage = async () => (await import('@/features/patients/PatientPage')).PatientPage;
const readersPage = async () => (await import('@/features/patients/ReadersPage')).ReadersPage;
const createPatientPage = async () =>
  (await import('@/features/patients/CreatePatientPage')).CreatePatientPage;
const editPatientPage = async () => (await import('@/features/patients/EditPatientPage')).EditPatientPage;
const staffListPage = async () => (await import('@/features/staff/StaffListPage')).StaffListPage;
const staffPage = async () => (await import('@/features/staff/StaffPage')).StaffPage;
const createStaffPage = async () => (await import('@/features/staff/CreateStaffPage')).CreateStaffPage;
const editStaffPage = async () => (await import('@/features/staff/EditStaffPage')).EditStaffPage;
const auditPage = async () => (await import('@/features/audit/AuditPage')).AuditPage;
const consumptionReportPage = async () =>
  (await import('@/features/reports/ConsumptionReportPage')).ConsumptionReportPage;
const importsPage = async () => (await import('@/features/imports/ImportsPage')).ImportsPage;
const importFilePage = async () => (await import('@/features/imports/ImportFilePage')).ImportFilePage;
const notFoundPage = async () => (await import('./NotFoundPage')).NotFoundPage;

type Page = () => Promise<ComponentType>;
type NamedPage = [title: RouteHandle['title'], page: Page];

const page = (path: string, [title, Component]: NamedPage): RouteObject => ({
  path,
  handle: named(title),
  lazy: { Component },
});

/** The four pages that each noun has: its list, one of them, and for those with a permission a new one and its edit. */
const noun = (
  path: string,
  title: RouteHandle['title'],
  write: Permission,
  pages: { list: Page; create: NamedPage; show: NamedPage; edit: NamedPage; more?: RouteObject[] },
): RouteObject => ({
  path,
  handle: named(title),
  children: [
    { index: true, lazy: { Component: pages.list } },
    ...(pages.more ?? []),
    page(':id', pages.show),
    {
      element: <RequirePermission permission={write} />,
      children: [page('create', pages.create), page(':id/edit', pages.edit)],
    },
  ],
});

/** Every address of the application. All but the login load when they are first visited. */
export const makeRoutes = (): RouteObject[] => [
  {
    element: <Covered />,
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
            element: <RequireVisitor />,
            children: ['', 'login'].map((path) => ({
              path,
              Component: LoginPage,
            })),
          },
          // For strangers, and for whoever opens a link where someone else is signed in.
          { path: 'reset-password', errorElement: <ErrorPage />, lazy: { Component: resetPasswordPage } },
          {
            element: <RequireSession />,
            children: [{ path: 'profile', errorElement: <ErrorPage />, lazy: { Component: profilePage } }],
          },
        ],
      },
      {
        element: <RequireSession />,
        children: [
          {
            Component: AppLayout,
            // Its children have no path: the error page replaces the page and leaves the navigation standing.
            children: [
              {
                errorElement: <ErrorPage />,
                Component: RequireNumbers,
                children: [
                  { index: true, lazy: { Component: homePage }, handle: named('home.title') },
                  {
                    path: 'consumption-sheets',
                    handle: named('sheets.title'),
                    children: [
                      { index: true, lazy: { Component: sheetsPage } },
                      {
                        path: 'create',
                        handle: named('sheets.open'),
                        lazy: { Component: openSheetPage },
                      },
                      {
                        path: 'closed',
                        handle: named('sheets.closed.title'),
                        children: [
                          { index: true, lazy: { Component: closedSheetsPage } },
                          {
                            path: ':id',
                            handle: named('sheets.closed.one'),
                            lazy: { Component: closedSheetPage },
                          },
                        ],
                      },
                      { path: ':id', lazy: { Component: sheetPage } },
                      {
                        path: ':id/edit',
                        handle: named('sheets.edit'),
                        lazy: { Component: editSheetPage },
                      },
                      {
                        element: <RequirePermission permission="sheets.history" />,
                        children: [page(':id/history', ['sheets.history.title', sheetHistoryPage])],
                      },
                    ],
                  },
                  {
                    path: 'consumption-sheet-details',
                    handle: named('details.all'),
                    children: [
                      { index: true, lazy: { Component: detailsPage } },
                      page(':id', ['details.one', detailPage]),
                      page(':sheetId/consumption-details', ['details.title', sheetDetailsPage]),
                      {
                        element: <RequirePermission permission="details.add" />,
                        children: [page('create', ['details.create', createDetailPage])],
                      },
                      {
                        element: <RequirePermission permission="details.edit" />,
                        children: [page(':id/edit', ['details.edit', editDetailPage])],
                      },
                    ],
                  },
                  noun('patients', 'patients.title', 'patients.save', {
                    list: patientsPage,
                    create: ['patients.create', createPatientPage],
                    show: ['patients.one', patientPage],
                    edit: ['patients.edit', editPatientPage],
                    more: [
                      {
                        element: <RequirePermission permission="patients.readers" />,
                        children: [page(':id/readers', ['readers.title', readersPage])],
                      },
                    ],
                  }),
                  {
                    element: <RequirePermission permission="staff.manage" />,
                    children: [
                      noun('staff', 'staff.title', 'staff.manage', {
                        list: staffListPage,
                        create: ['staff.create', createStaffPage],
                        show: ['staff.one', staffPage],
                        edit: ['staff.edit', editStaffPage],
                      }),
                    ],
                  },
                  noun('areas', 'areas.title', 'catalogue.manage', {
                    list: areasPage,
                    create: ['areas.create', createAreaPage],
                    show: ['areas.one', areaPage],
                    edit: ['areas.edit', editAreaPage],
                  }),
                  {
                    element: <RequirePermission permission="users.manage" />,
                    children: [
                      noun('users', 'users.title', 'users.manage', {
                        list: usersPage,
                        create: ['users.create', createUserPage],
                        show: ['users.one', userPage],
                        edit: ['users.edit', editUserPage],
                      }),
                    ],
                  },
                  {
                    element: <RequirePermission permission="audit.read" />,
                    children: [page('audit', ['audit.title', auditPage])],
                  },
                  page('users/account', ['account.title', ownAccountPage]),
                  noun('rooms', 'rooms.title', 'catalogue.manage', {
                    list: roomsPage,
                    create: ['rooms.create', createRoomPage],
                    show: ['rooms.one', roomPage],
                    edit: ['rooms.edit', editRoomPage],
                  }),
                  noun('products', 'products.title', 'catalogue.manage', {
                    list: productsPage,
                    create: ['products.create', createProductPage],
                    show: ['products.one', productPage],
                    edit: ['products.edit', editProductPage],
                    more: [page('categories', ['categories.title', categoriesPage])],
                  }),
                  {
                    element: <RequirePermission permission="reports.read" />,
                    children: [page('reports/consumption', ['reports.title', consumptionReportPage])],
                  },
                  {
                    element: <RequirePermission permission="imports.run" />,
                    children: [
                      {
                        path: 'imports',
                        handle: named('imports.title'),
                        children: [
                          { index: true, lazy: { Component: importsPage } },
                          page('create', ['imports.create', importFilePage]),
                        ],
                      },
                    ],
                  },
                  { path: '*', lazy: { Component: notFoundPage }, handle: named('notFound.title') },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];
