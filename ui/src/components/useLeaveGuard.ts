import { useEffect } from 'react';
import { useStore } from 'react-redux';
import { useBeforeUnload, useBlocker } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import type { Session } from '@/session/session';
import { useConfirm } from './Confirm';

/** Given to `navigate` as its state by what has settled the matter itself, such as a deletion: nothing is asked. */
export const settled = { settled: true };

interface Leaving {
  question: MessageId;
  action: MessageId;
}

const unsavedForm: Leaving = { question: 'form.leave.question', action: 'form.leave.action' };

/**
 * Ask before the page is left with unsaved work. `unsaved` is called at that moment. Only one guard may be mounted at
 * a time: the router knows no more than one.
 */
export function useLeaveGuard(unsaved: () => boolean, { question, action } = unsavedForm) {
  const store = useStore<{ session: Session }>();
  const confirm = useConfirm();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname &&
      !nextLocation.state?.settled &&
      // Who is signed out has nothing left to decide.
      store.getState().session.token !== null &&
      unsaved(),
  );

  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    confirm({ question, action, danger: true }).then((sure) => (sure ? blocker.proceed() : blocker.reset()));
  }, [blocker, confirm, question, action]);

  useBeforeUnload((event) => {
    if (unsaved()) event.preventDefault();
  });
}
