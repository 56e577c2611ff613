import { Button, Group, Modal } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';

interface Question {
  question: MessageId;
  /** The verb on the button that does it. */
  action: MessageId;
  /** True when it cannot be undone. */
  danger?: boolean;
  /** What the person should know before answering, and what may answer no by leading them elsewhere. */
  children?: ReactNode | ((decline: () => void) => ReactNode);
}

type Confirm = (question: Question) => Promise<boolean>;

const ConfirmContext = createContext<Confirm | null>(null);

/** `if (await confirm({ question: 'sheets.delete.question', action: 'action.delete', danger: true })) …` */
export function useConfirm(): Confirm {
  const confirm = useContext(ConfirmContext);
  if (!confirm) throw new Error('useConfirm needs a ConfirmProvider above it.');
  return confirm;
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const t = useText();
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
      <Modal.Root opened={opened} onClose={() => close(false)} centered>
        <Modal.Overlay />
        <Modal.Content>
          <Modal.Body p="lg">
            <Modal.Title fw={600} fz="lg" lh="lg" mb="sm">
              {asked && t(asked.question)}
            </Modal.Title>
            {typeof asked?.children === 'function' ? asked.children(() => close(false)) : asked?.children}
            <Group justify="flex-end" gap="sm" mt="md">
              <Button variant="default" onClick={() => close(false)} data-autofocus>
                {t('action.cancel')}
              </Button>
              <Button color={asked?.danger ? 'red' : undefined} onClick={() => close(true)}>
                {asked && t(asked.action)}
              </Button>
            </Group>
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </ConfirmContext.Provider>
  );
}
