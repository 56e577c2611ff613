import { api } from '@/api/base';
import { isSamePerson } from '@/api/dependencies';
import { tokenSettled } from '@/api/renewal';
import { releaseWaiting } from '@/api/unlocking';
import { listeners, pageLoaded } from '@/state/listeners';
import { markActive } from './activity';
import { CHANGED_KEY, sessionChangedElsewhere, storedSession, storeSession } from './session';

/*
 * What a change of the session causes. The effects wait for nothing: other tabs must read each change at once, and the
 * next user must find an empty cache.
 */

/**
 * Store each change of the session for other tabs.
 *
 * What came from another tab is not stored: two tabs would overwrite one another's changes without end.
 */
listeners.startListening({
  predicate: (_, { session }, { session: former }) => session !== former,
  effect(action, { getState, getOriginalState }) {
    const { session } = getState();
    const { session: former } = getOriginalState();
    const isUnlocked = former.locked && !session.locked;
    // Signing in or unlocking proves that the user is there.
    if (session.token && (session.token !== former.token || isUnlocked)) markActive();
    if (!sessionChangedElsewhere.match(action)) storeSession(session, former);
    if (isUnlocked) releaseWaiting();
  },
});

/** Empty the cache when another user signs in, to prevent data leaks. */
listeners.startListening({
  predicate: (_, { session }, { session: former }) =>
    session.token !== former.token && !isSamePerson(session, former),
  effect: (_, { dispatch }) => void dispatch(api.util.resetApiState()),
});

/** Continue in the session that another tab stored. */
listeners.startListening({
  actionCreator: pageLoaded,
  effect: (_, { dispatch }) =>
    window.addEventListener('storage', async ({ key }) => {
      if (key !== null && key !== CHANGED_KEY) return;
      // A tab whose old token was refused does not know about the new one that is on its way.
      await tokenSettled();
      dispatch(sessionChangedElsewhere(storedSession()));
    }),
});
