import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSignOutMutation } from '@/api/generated';
import { useFirstInteraction } from '@/components/useFirstInteraction';
import { signedOut } from '@/session/session';
import { useAppDispatch, useAppStore } from '@/storeHooks';
import { recordOpenLines } from './openLines';
import { isUnsent, isWaiting } from './outboxSlice';
import { flushOutbox } from './sending';

const loadDialog = () => import('./SignOutDialog');
const SignOutDialog = lazy(loadDialog);

/**
 * Ends the session here in any case, and on the server when it can be reached. Who leaves something unsent behind is
 * asked what becomes of it, by the dialog that whoever calls this draws.
 */
export function useSignOut(): { signOut: () => void; dialog: ReactNode } {
  const [signOut] = useSignOutMutation();
  const dispatch = useAppDispatch();
  const store = useAppStore();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const touched = useFirstInteraction();
  useEffect(() => {
    // Without network it could not be had, which is when it is asked.
    if (touched) loadDialog().catch(() => {});
  }, [touched]);

  async function leave() {
    setAsks(false);
    await signOut();
    dispatch(signedOut());
    navigate('/');
  }

  return {
    async signOut() {
      // What only waits for its delay is sent, before it is asked what becomes of the rest.
      await recordOpenLines();
      if (store.getState().outbox.lines.some(isWaiting)) await dispatch(flushOutbox());
      if (store.getState().outbox.lines.some(isUnsent)) setAsks(true);
      else leave();
    },
    dialog: asks && (
      <Suspense>
        <SignOutDialog onLeave={leave} onClose={() => setAsks(false)} />
      </Suspense>
    ),
  };
}
