import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { useReadOwnAccountQuery, useReadSettingsQuery } from '@/api/generated';
import { EmptyState } from '@/components/EmptyState';
import { PageLoader } from '@/components/PageLoader';
import { roleOf } from '@/components/roles';
import { useText } from '@/i18n/useText';
import { forgetPlace, placeOf } from './keptWork';
import { accountRead, sessionExpired, useSession } from './session';
import { type Permission, useCan } from './useCan';
import { forgetVisitor, noteVisitor, visitor } from './visitor';

/** How long a page that is left may still run, in milliseconds. */
const CUT_OFF = 500;

const PROFILE = '/auth/profile';

/** Lets in whom the server knows; sends those without a required profile to it, and strangers to the login. */
export function RequireSession() {
  const { token, user, verified, left } = useSession();
  const { pathname, search } = useLocation();
  const { settled } = useSessionCheck();
  useEffect(() => {
    if (verified) forgetVisitor(); // they have arrived
  }, [verified]);

  if (!token) return <ToLogin from={left ? undefined : pathname + search} />;
  if (!user || !verified || !settled) return <PageLoader />;
  const work = pathname === '/' ? placeOf(user.id) : null;
  if (work) return <BackToWork userId={user.id} path={work} />;
  if (user.profile_required && pathname !== PROFILE) return <Navigate to={PROFILE} replace />;
  return <Outlet />;
}

function ToLogin({ from }: { from: string | undefined }) {
  const navigate = useNavigate();
  useEffect(() => {
    noteVisitor({ from });
    navigate('/auth/login', { replace: true });
  }, [navigate, from]);
  return null;
}

/** Leads who had to leave the screen to somebody else to where they were. */
function BackToWork({ userId, path }: { userId: number; path: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    forgetPlace(userId);
    navigate(path, { replace: true });
  }, [navigate, userId, path]);
  return <PageLoader />;
}

/** Asks for what every page needs, and keeps the stored user equal to the server's for as long as the session lasts. */
export function useSessionCheck() {
  const { token } = useSession();
  const dispatch = useDispatch();
  const account = useReadOwnAccountQuery(undefined, { skip: !token });
  const settings = useReadSettingsQuery(undefined, { skip: !token });
  useEffect(() => {
    if (account.currentData) dispatch(accountRead(account.currentData));
    if (account.currentData || !account.isError) return;
    // Whoever reloads while it is asked cuts the question off: that is no failure, and the page is gone by then.
    const timer = window.setTimeout(() => dispatch(sessionExpired()), CUT_OFF);
    return () => window.clearTimeout(timer);
  }, [account.currentData, account.isError, dispatch]);
  return { settled: !settings.isLoading };
}

/** Lets in strangers alone: who is signed in goes on to where they were heading. */
export function RequireVisitor() {
  const { token } = useSession();
  return token ? <Navigate to={visitor().from ?? '/'} replace /> : <Outlet />;
}

/** Opens a page to those whom the policy allows it; others are told why not, and led to what it is part of. */
export function RequirePermission({ permission }: { permission: Permission }) {
  return useCan(permission) ? <Outlet /> : <NotForThisRole />;
}

function NotForThisRole() {
  const t = useText();
  const { user } = useSession();
  const { pathname } = useLocation();
  // Of a form, the thing that it would change.
  const above = /^(.+)\/(create|edit|history)$/.exec(pathname)?.[1];
  return (
    <EmptyState
      title={t('guard.title')}
      hint={t('guard.hint', { role: user ? t(roleOf(user.role).name) : '' })}
    >
      <Button component={Link} to={above ?? '/'} variant="default">
        {t(above ? 'action.back' : 'nav.home')}
      </Button>
    </EmptyState>
  );
}
