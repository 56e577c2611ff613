import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { useReadOwnAccountQuery, useReadSettingsQuery } from '@/api/generated';
import { isUnavailable, throwUnreachable, toProblem } from '@/api/problem';
import { EmptyState } from '@/components/EmptyState';
import { PageLoader } from '@/components/PageLoader';
import { roleOf } from '@/components/roles';
import { useText } from '@/i18n/useText';
import { forgetReturnTo, noteReturnTo, returnTo } from './returnTo';
import { forgetPlace, placeOf } from './savedWork';
import { accountRead, sessionExpired, useSession } from './session';
import { type Permission, useCan } from './useCan';

/** So long the server has to say whom it knows, before one goes on with what this device knows; in milliseconds. */
const SESSION_CHECK_TIMEOUT_MS = 3_000;
/** How often a server that cannot be reached is asked again. */
const RETRY_INTERVAL_MS = 15_000;

const PROFILE = '/auth/profile';

/** Lets in whom the server knows, or knew before it could not be reached; sends those without a required profile to it, and strangers to the login. */
export function RequireSession() {
  const { token, user, verified, left } = useSession();
  const { pathname, search } = useLocation();
  const { settled, isDown, isLate } = useSessionCheck();
  useEffect(() => {
    if (verified) forgetReturnTo(); // they have arrived
  }, [verified]);

  if (!token) return <LoginRedirect from={left ? undefined : pathname + search} />;
  if (!user && isDown) throwUnreachable();
  if (!user || !(isDown || isLate || (verified && settled))) return <PageLoader />;
  const work = pathname === '/' ? placeOf(user.id) : null;
  if (work) return <RestoreLastPath userId={user.id} path={work} />;
  if (user.profile_required && pathname !== PROFILE) return <Navigate to={PROFILE} replace />;
  return <Outlet />;
}

function LoginRedirect({ from }: { from: string | undefined }) {
  const navigate = useNavigate();
  useEffect(() => {
    noteReturnTo({ from });
    navigate('/auth/login', { replace: true });
  }, [navigate, from]);
  return null;
}

/** Leads who had to leave the screen to somebody else to where they were. */
function RestoreLastPath({ userId, path }: { userId: number; path: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    forgetPlace(userId);
    navigate(path, { replace: true });
  }, [navigate, userId, path]);
  return <PageLoader />;
}

/**
 * Asks for what every page needs, and keeps the stored user equal to the server's for as long as the session lasts. A
 * server that cannot be reached ends no session: it is asked again until it answers.
 */
export function useSessionCheck() {
  const { token, verified } = useSession();
  const dispatch = useDispatch();
  const how = { skip: !token, refetchOnReconnect: !verified };
  const account = useReadOwnAccountQuery(undefined, how);
  const settings = useReadSettingsQuery(undefined, how);
  const isDown = account.isError && isUnavailable(toProblem(account.error).status);
  const isRefused = account.isError && !isDown;
  useEffect(() => {
    if (account.currentData) dispatch(accountRead(account.currentData));
    else if (isRefused) dispatch(sessionExpired());
  }, [account.currentData, isRefused, dispatch]);

  const askAgain = useEffectEvent(() => {
    account.refetch();
    if (settings.isError) settings.refetch();
  });
  useEffect(() => {
    if (!isDown || account.isFetching) return;
    const timer = window.setTimeout(askAgain, RETRY_INTERVAL_MS);
    return () => window.clearTimeout(timer);
  }, [isDown, account.isFetching]);

  const isLate = useDelayed(token !== null && !verified);
  return { settled: !settings.isLoading, isDown, isLate };
}

/** Whether that has been so for longer than one waits. */
function useDelayed(waiting: boolean) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const timer = window.setTimeout(setLate, SESSION_CHECK_TIMEOUT_MS, true);
    return () => {
      window.clearTimeout(timer);
      setLate(false);
    };
  }, [waiting]);
  return late;
}

/** Lets in strangers alone: who is signed in goes on to where they were heading. */
export function RequireSignedOut() {
  const { token } = useSession();
  return token ? <Navigate to={returnTo().from ?? '/'} replace /> : <Outlet />;
}

/** Opens a page to those whom the policy allows it; others are told why not, and led to what it is part of. */
export function RequirePermission({ permission }: { permission: Permission }) {
  return useCan(permission) ? <Outlet /> : <Forbidden />;
}

function Forbidden() {
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
