import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { throwUnreachable } from '@/api/problem';
import { noteReturnTo } from '@/session/returnTo';
import { useSession } from '@/session/session';
import { PageLoader } from '@/shared/ui/PageLoader';
import { useFirstInteraction } from '@/shared/ui/useFirstInteraction';
import {
  FIRST_ADMINISTRATOR,
  LoginForm,
  PASSKEY_LINK,
  RESET_PASSWORD,
} from '@/topics/accounts/sign-in/LoginForm';
import { AuthLayout } from './shell/AuthLayout';

const loadApplication = () => import('./Application');

const HospitalReturn = lazy(() =>
  import('@/topics/accounts/sign-in/HospitalReturnPage').catch(throwUnreachable),
);

/** Return the query that the hospital's identity provider has sent, or null at any other address. */
const providerAnswer = () =>
  window.location.pathname === '/auth/oidc/callback' ? window.location.search : null;

const Application = lazy(() => loadApplication().catch(throwUnreachable));

/**
 * Show the login before the router and the rest of the code load.
 *
 * Once a user signs in, or opens another page than the login, the router takes over for good.
 */
export function LoginGate() {
  const { token } = useSession();
  const [entered, setEntered] = useState(
    token !== null || [RESET_PASSWORD, FIRST_ADMINISTRATOR, PASSKEY_LINK].includes(window.location.pathname),
  );
  const [answer, setAnswer] = useState(providerAnswer);
  useLayoutEffect(() => {
    // Before anything else: addresses are stored in histories.
    if (answer !== null) window.history.replaceState(null, '', '/auth/login');
  }, [answer]);

  const goOn = useCallback((path: string) => {
    window.history.replaceState(null, '', path);
    setAnswer(null);
  }, []);
  if (answer !== null)
    return (
      <AuthLayout>
        <Suspense fallback={<PageLoader />}>
          <HospitalReturn query={answer} onDone={goOn} />
        </Suspense>
      </AuthLayout>
    );
  if (token && !entered) setEntered(true);
  if (!entered) return <FirstLogin onLeave={() => setEntered(true)} />;
  return (
    <Suspense fallback={<PageLoader />}>
      <Application />
    </Suspense>
  );
}

function FirstLogin({ onLeave }: { onLeave: () => void }) {
  const touched = useFirstInteraction();
  useEffect(() => {
    if (touched) loadApplication().catch(() => {}); // loaded again when needed
  }, [touched]);

  useEffect(() => {
    const { pathname, search } = window.location;
    if (/^\/auth(\/login)?\/?$/.test(pathname)) return;
    noteReturnTo({ from: pathname + search });
    window.history.replaceState(null, '', '/auth/login');
  }, []);

  function forgot() {
    window.history.pushState(null, '', RESET_PASSWORD);
    onLeave();
  }

  return (
    <AuthLayout>
      <LoginForm onForgot={forgot} />
    </AuthLayout>
  );
}
