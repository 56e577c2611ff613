import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSignOutMutation } from '@/api/generated';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { recordOpenLines } from '@/outbox/openLines';
import { isUnsent, isWaiting } from '@/outbox/outboxSlice';
import { flushOutbox } from '@/outbox/sending';
import { signedOut } from '@/session/session';
import { lazyPart } from '@/shared/ui/lazyPart';
import { useFirstInteraction } from '@/shared/ui/useFirstInteraction';
import { useAppDispatch, useAppStore } from '@/state/storeHooks';

const loadDialog = () => import('./SignOutDialog');
const SignOutDialog = lazyPart(loadDialog);

/**
 * Sign out on this device, and on the server if it is reachable.
 *
 * If there are unsent entries, `dialog` asks what to do with them. The caller renders it.
 */
export function useSignOut(): { signOut: () => void; dialog: ReactNode } {
  const [signOut] = useSignOutMutation();
  const { data: settings } = useReadSettingsQuery();
  const dispatch = useAppDispatch();
  const store = useAppStore();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const touched = useFirstInteraction();
  useEffect(() => {
    // Preload the dialog: offline it could not be loaded, and it is needed just then.
    if (touched) loadDialog().catch(() => {});
  }, [touched]);

  async function leave() {
    setAsks(false);
    // Without network, or if the provider does not answer, signing out ends here.
    const atProvider = settings?.oidc?.logout
      ? await import('@/session/hospitalAccount')
          .then(({ logoutPage }) => logoutPage(dispatch))
          .catch(() => null)
      : null;
    await signOut();
    dispatch(signedOut());
    if (atProvider) window.location.assign(atProvider);
    else navigate('/');
  }

  return {
    async signOut() {
      // Record the lines that only wait for their delay before asking about the rest.
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
