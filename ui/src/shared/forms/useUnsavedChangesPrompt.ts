import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useAppStore } from '@/state/storeHooks';

/** State for `navigate` after an action such as a deletion, so that the guard does not ask. */
export const settled = { settled: true };

interface Leaving {
  question: MessageId;
  action: MessageId;
  /** Called when the user confirms, to discard stored drafts. */
  onLeave?: () => void;
  /** Another button that saves or sends the unsaved work first. */
  settle?: { action: MessageId; run: () => void };
  /** Details of the unsaved work. */
  children?: ReactNode;
}

/** Unsaved work of the open page, for a question that asks before leaving it. */
export interface UnsavedWork {
  settle?: Leaving['settle'];
  onLeave: () => void;
  children?: ReactNode;
}

const works = new Set<() => UnsavedWork | null>();

/** Return the unsaved work of the open page, or null. */
export const unsavedWork = () => [...works].map((work) => work()).find((work) => work !== null) ?? null;

const unsavedForm: Leaving = { question: 'form.leave.question', action: 'form.leave.action' };

/**
 * Ask before leaving the page with unsaved work.
 *
 * `unsaved` is called at that moment. Mount only one guard at a time, because the router supports no more than one.
 */
export function useUnsavedChangesPrompt(unsaved: () => boolean, leaving: Leaving = unsavedForm) {
  const store = useAppStore();
  const confirm = useConfirm();
  const { question, action, settle } = leaving;
  const settleAction = settle?.action;
  const onSettle = useEffectEvent(() => leaving.settle?.run());
  const unsavedText = useEffectEvent(() => leaving.children);
  const onLeave = useEffectEvent(() => leaving.onLeave?.());
  const read = useEffectEvent((): UnsavedWork | null => {
    const { children, settle } = leaving;
    return unsaved() ? { children, settle, onLeave: () => leaving.onLeave?.() } : null;
  });
  useEffect(() => {
    const work = () => read();
    works.add(work);
    return () => {
      works.delete(work);
    };
  }, []);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname &&
      !nextLocation.state?.settled &&
      // After signing out there is nothing left to decide.
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
