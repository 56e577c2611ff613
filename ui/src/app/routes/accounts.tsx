import { Outlet, type RouteObject } from 'react-router-dom';
import { withLaterTexts } from '@/i18n/messages';
import { RequireSession, RequireSignedOut } from '@/topics/accounts/guards';
import { LoginPage } from '@/topics/accounts/sign-in/LoginPage';
import { ErrorPage } from '../errors/ErrorPage';
import { AuthLayout } from '../shell/AuthLayout';
import { kitRoutes } from './catalogue';
import { crudRoutes, indexPage, lazyPage, page, permitted, section } from './parts';

type Load = Parameters<typeof lazyPage>[0];

const signInPage = (path: string, load: Load) => ({ path, errorElement: <ErrorPage />, ...lazyPage(load) });

/** The pages before the navigation is there: signing in, and what an account needs first. */
export const signInRoutes = (): RouteObject => ({
  path: 'auth',
  element: (
    <AuthLayout>
      <Outlet />
    </AuthLayout>
  ),
  children: [
    {
      element: <RequireSignedOut />,
      children: ['', 'login'].map((path) => ({ path, Component: LoginPage })),
    },
    // For users without a session, and for a link that is opened where someone else is signed in.
    signInPage('reset-password', () => import('@/topics/accounts/sign-in/ResetPasswordPage')),
    signInPage('first-administrator', () => import('@/topics/accounts/sign-in/FirstAdministratorPage')),
    signInPage(
      'passkey',
      withLaterTexts(() => import('@/topics/accounts/sign-in/PasskeyLinkPage')),
    ),
    {
      element: <RequireSession />,
      children: [
        signInPage(
          'second-factor',
          withLaterTexts(() => import('@/topics/accounts/sign-in/SecondFactorPage')),
        ),
        signInPage('profile', () => import('@/topics/accounts/profile/ProfilePage')),
      ],
    },
  ],
});

/** Users, programs and one's own account. */
export const accountRoutes = (): RouteObject[] => [
  permitted(
    'users.manage',
    crudRoutes('users', 'users.title', 'users.manage', {
      list: withLaterTexts(() => import('@/topics/accounts/users/UsersPage')),
      create: ['users.create', withLaterTexts(() => import('@/topics/accounts/users/UserFormPage'))],
      show: ['users.one', withLaterTexts(() => import('@/topics/accounts/users/UserPage'))],
      edit: ['users.edit', withLaterTexts(() => import('@/topics/accounts/users/UserFormPage'))],
      more: [
        page(
          'cards',
          'users.cards.title',
          withLaterTexts(() => import('@/topics/accounts/users/CardsPage')),
        ),
      ],
    }),
  ),
  permitted(
    'service_accounts.manage',
    section(
      'service-accounts',
      'programs.title',
      indexPage(withLaterTexts(() => import('@/topics/accounts/service-accounts/ServiceAccountsPage'))),
      page(
        ':id/keys/create',
        'keys.create',
        withLaterTexts(() => import('@/topics/accounts/service-accounts/CreateKeyPage')),
      ),
    ),
  ),
  section(
    'users/account',
    'account.title',
    indexPage(withLaterTexts(() => import('@/topics/accounts/users/OwnAccountPage'))),
    page(
      'reader',
      'scannerTest.title',
      withLaterTexts(() => import('@/topics/scanning/ScannerTestPage')),
    ),
    permitted('kits.own', kitRoutes('kits.mine', 'kits.own')),
  ),
];
