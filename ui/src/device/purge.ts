import { listeners, pageLoaded } from '@/state/listeners';
import type { RootState } from '@/state/storeHooks';

/** How often expired sheets are deleted from the device, and the delay after the page loads. In milliseconds. */
const PURGE_EVERY = 10 * 60_000;
const PURGE_FIRST = 3_000;

const viewerOf = ({ session: { token, user } }: RootState) => (token && user ? user.id : null);

/** Delete stored sheets when the session ends, or after some hours. */
listeners.startListening({
  actionCreator: pageLoaded,
  async effect(_, { condition, getState }) {
    for (let delay = PURGE_FIRST; ; delay = PURGE_EVERY) {
      await condition((_, state, former) => viewerOf(state) !== viewerOf(former), delay);
      import('./sheets').then(({ sheetsOf }) => sheetsOf(viewerOf(getState()))).catch(() => {}); // no storage in this browser
    }
  },
});
