import { createContext, type ReactNode, Suspense, useCallback, useContext, useRef, useState } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import { useFirstInteraction } from '@/shared/ui/useFirstInteraction';
import type { Question } from './ConfirmDialog';

const ConfirmDialog = lazyPart(() => import('./ConfirmDialog'));

type Confirm = (question: Question) => Promise<boolean>;

const ConfirmContext = createContext<Confirm | null>(null);

/**
 * Return a function that asks for confirmation.
 *
 *     if (await confirm({ question: 'sheets.delete.question', action: 'action.delete', danger: true })) …
 */
export function useConfirm(): Confirm {
  const confirm = useContext(ConfirmContext);
  if (!confirm) throw new Error('useConfirm needs a ConfirmProvider above it.');
  return confirm;
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const touched = useFirstInteraction();
  const [asked, setAsked] = useState<Question | null>(null);
  const [opened, setOpened] = useState(false);
  const answer = useRef<(yes: boolean) => void>(undefined);

  const confirm = useCallback<Confirm>((question) => {
    answer.current?.(false);
    setAsked(question);
    setOpened(true);
    return new Promise((resolve) => {
      answer.current = resolve;
    });
  }, []);

  function close(yes: boolean) {
    setOpened(false);
    answer.current?.(yes);
  }

  return (
    <ConfirmContext.Provider value={confirm}>
      {children}
      <Suspense>
        {(touched || asked) && <ConfirmDialog asked={asked} opened={opened} onAnswer={close} />}
      </Suspense>
    </ConfirmContext.Provider>
  );
}
