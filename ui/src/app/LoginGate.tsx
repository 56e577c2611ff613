import { lazy, Suspense, useEffect, useState } from 'react';
import { throwUnreachable } from '@/api/problem';
import { PageLoader } from '@/components/ui/PageLoader';
import { useFirstInteraction } from '@/components/ui/useFirstInteraction';
import { FIRST_ADMINISTRATOR, LoginForm, PASSKEY_LINK, RESET_PASSWORD } from '@/features/auth/LoginForm';
import { noteReturnTo } from '@/session/returnTo';
import { useSession } from '@/session/session';
import { AuthLayout } from './shell/AuthLayout';

const loadApplication = () => import('./Application');

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
