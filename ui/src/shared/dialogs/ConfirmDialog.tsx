import { Button } from '@mantine/core';
import { useText } from '@/i18n/useText';
import type { Question } from './Confirm';
import { Dialog, DialogFooter } from './Dialog';

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
