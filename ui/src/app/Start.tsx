import { lazy, Suspense, useEffect, useState } from 'react';
import { PageLoader } from '@/components/PageLoader';
import { useFirstInteraction } from '@/components/useFirstInteraction';
import { LoginForm, RESET_PASSWORD } from '@/features/session/LoginForm';
import { useSession } from '@/session/session';
import { AuthLayout } from './AuthLayout';

const loadApplication = async () => ({ default: (await import('./Application')).Application });

const Application = lazy(loadApplication);

/**
 * A stranger meets the login before the rest of the application is loaded, router included. As soon as someone is
 * signed in, or wants more than to sign in, the router takes over for good.
 */
export function Start() {
  const { token } = useSession();
  const [entered, setEntered] = useState(token !== null || window.location.pathname === RESET_PASSWORD);
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
    if (touched) loadApplication().catch(() => {}); // it is tried again when it is needed
  }, [touched]);

  // The state of the address is written as the router writes it, so that it goes on from here.
  useEffect(() => {
    const { pathname, search } = window.location;
    if (!/^\/auth(\/login)?\/?$/.test(pathname))
      window.history.replaceState({ usr: { from: pathname + search } }, '', '/auth/login');
  }, []);

  function forgot(email: string) {
    window.history.pushState({ usr: { ...window.history.state?.usr, email } }, '', RESET_PASSWORD);
    onLeave();
  }

  return (
    <AuthLayout>
      <LoginForm email={window.history.state?.usr?.email} onForgot={forgot} />
    </AuthLayout>
  );
}
