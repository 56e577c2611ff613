import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { useAppStore } from '@/storeHooks';
import { useConfirm } from './Confirm';

/** Given to `navigate` as its state by what has settled the matter itself, such as a deletion: nothing is asked. */
export const settled = { settled: true };

interface Leaving {
  question: MessageId;
  action: MessageId;
  /** The person is sure: what was kept for them may go. */
  onLeave?: () => void;
  /** Another way to leave, which settles what is unsaved first. */
  settle?: { action: MessageId; run: () => void };
  /** What is unsaved, in words. */
  children?: ReactNode;
}

const unsavedForm: Leaving = { question: 'form.leave.question', action: 'form.leave.action' };

/**
 * Ask before the page is left with unsaved work. `unsaved` is called at that moment. Only one guard may be mounted at
 * a time: the router knows no more than one.
 */
export function useUnsavedChangesPrompt(unsaved: () => boolean, leaving: Leaving = unsavedForm) {
  const store = useAppStore();
  const confirm = useConfirm();
  const { question, action, settle } = leaving;
  const settleAction = settle?.action;
  const onSettle = useEffectEvent(() => leaving.settle?.run());
  const unsavedText = useEffectEvent(() => leaving.children);
  const onLeave = useEffectEvent(() => leaving.onLeave?.());
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
    let isSettled = false;
    const other = settleAction && {
      action: settleAction,
      run: () => {
        isSettled = true;
        onSettle();
      },
    };
    confirm({ question, action, danger: true, other, children: unsavedText() }).then((sure) => {
      if (!sure) return blocker.reset();
      if (!isSettled) onLeave();
      blocker.proceed();
    });
  }, [blocker, confirm, question, action, settleAction]);

  useBeforeUnload((event) => {
    if (unsaved()) event.preventDefault();
  });
}
