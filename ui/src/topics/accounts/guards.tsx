import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { useReadOwnAccountQuery } from '@/api/generated';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { isUnavailable, throwUnreachable, toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { forgetReturnTo, noteReturnTo, returnTo } from '@/session/returnTo';
import { forgetPlace, placeOf } from '@/session/savedWork';
import { isPasskeyPostponed } from '@/session/secondFactor';
import { accountRead, sessionExpired, useSession } from '@/session/session';
import { type Permission, useCan } from '@/session/useCan';
import { EmptyState } from '@/shared/ui/EmptyState';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePasskeysHere } from './proofs/usePasskeysHere';
import { roleOf } from './roles';

/** Timeout of the session check, after which work goes on with what this device knows. In milliseconds. */
const SESSION_CHECK_TIMEOUT_MS = 3_000;
/** How often an unreachable server is polled, in milliseconds. */
const RETRY_INTERVAL_MS = 15_000;

const PROFILE = '/auth/profile';
const SECOND_FACTOR = '/auth/second-factor';

/**
 * Require a session that the server confirms.
 *
 * While the server is unreachable, an earlier confirmation is enough. Users without a required profile are redirected
 * to it, others without a session to the login.
 */
export function RequireSession() {
  const { token, user, verified, left } = useSession();
  const { pathname, search } = useLocation();
  const { settled, isDown, isLate } = useSessionCheck();
  const passkeysHere = usePasskeysHere();
  useEffect(() => {
    if (verified) forgetReturnTo(); // signed in and arrived
  }, [verified]);

  if (!token) return <LoginRedirect from={left ? undefined : pathname + search} />;
  if (!user && isDown) throwUnreachable();
  if (!user || !(isDown || isLate || (verified && settled))) return <PageLoader />;
  // Before the day on which a passkey is needed, the user may put it off.
  const wantsPasskey =
    user.second_factor_required ||
    (user.passkey_due_on && passkeysHere && !isPasskeyPostponed(user.id) && pathname === '/');
  if (wantsPasskey && pathname !== SECOND_FACTOR) return <Navigate to={SECOND_FACTOR} replace />;
  const work = pathname === '/' ? placeOf(user.id) : null;
  if (work) return <RestoreLastPath userId={user.id} path={work} />;
  if (user.profile_required && ![PROFILE, SECOND_FACTOR].includes(pathname))
    return <Navigate to={PROFILE} replace />;
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

/** Return users to where they were before someone else took over. */
function RestoreLastPath({ userId, path }: { userId: number; path: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    forgetPlace(userId);
    navigate(path, { replace: true });
  }, [navigate, userId, path]);
  return <PageLoader />;
}

/**
 * Fetch what every page needs, and keep the stored user up to date.
 *
 * An unreachable server ends no session: it is polled until it answers.
 */
export function useSessionCheck() {
  const { token, verified, locked } = useSession();
  const dispatch = useDispatch();
  const how = { skip: !token, refetchOnReconnect: !verified };
  // A locked session may not read its account.
  const account = useReadOwnAccountQuery(undefined, { ...how, skip: !token || locked });
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

/** Return whether waiting has exceeded the timeout. */
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

/** Require that no user is signed in; redirect others to their path. */
export function RequireSignedOut() {
  const { token } = useSession();
  return token ? <Navigate to={returnTo().from ?? '/'} replace /> : <Outlet />;
}

/**
 * Require a permission.
 *
 * Users without it see the reason, and a link to the parent page.
 */
export function RequirePermission({ permission }: { permission: Permission }) {
  return useCan(permission) ? <Outlet /> : <Forbidden />;
}

function Forbidden() {
  const t = useText();
  const { user } = useSession();
  const { pathname } = useLocation();
  // The parent of a form is its record.
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
