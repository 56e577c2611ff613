import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { Dialog, DialogFooter } from './Dialog';

export interface Question {
  question: MessageId;
  /** The verb on the button that confirms. */
  action: MessageId;
  /** True if it cannot be undone. */
  danger?: boolean;
  /** Returns false if an answer in the details is missing: the dialog stays open. */
  mayConfirm?: () => boolean;
  /** A second button that runs something first and then confirms, too. */
  other?: { action: MessageId; run: () => void };
  /** Details to read before answering. A link in them can decline by leaving the page. */
  children?: ReactNode | ((decline: () => void) => ReactNode);
}

interface Props {
  /** The last question. It stays readable while the dialog closes. */
  asked: Question | null;
  opened: boolean;
  onAnswer: (yes: boolean) => void;
}

export default function ConfirmDialog({ asked, opened, onAnswer }: Props) {
  const t = useText();
  return (
    <Dialog
      opened={opened}
      onClose={() => onAnswer(false)}
      title={asked && t(asked.question)}
      size={asked?.other && 'lg'}
    >
      {typeof asked?.children === 'function' ? asked.children(() => onAnswer(false)) : asked?.children}
      <DialogFooter>
        <Button
          variant="default"
          onClick={() => onAnswer(false)}
          data-autofocus={!asked?.mayConfirm || undefined}
        >
          {t('action.cancel')}
        </Button>
        <Button
          color={asked?.danger ? 'red' : undefined}
          onClick={() => asked?.mayConfirm?.() !== false && onAnswer(true)}
        >
          {asked && t(asked.action)}
        </Button>
        {asked?.other && (
          <Button
            variant="light"
            onClick={() => {
              asked.other?.run();
              onAnswer(true);
            }}
          >
            {t(asked.other.action)}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}
