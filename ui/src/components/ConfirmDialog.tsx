import { Button, Group, Modal } from '@mantine/core';
import './modalStyles';
import { useText } from '@/i18n/useText';
import type { Question } from './Confirm';

interface Props {
  /** What was asked last; it is still read while the dialog closes. */
  asked: Question | null;
  opened: boolean;
  onAnswer: (yes: boolean) => void;
}

export function ConfirmDialog({ asked, opened, onAnswer }: Props) {
  const t = useText();
  return (
    <Modal.Root opened={opened} onClose={() => onAnswer(false)} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p="lg">
          <Modal.Title fw={600} fz="lg" lh="lg" mb="sm">
            {asked && t(asked.question)}
          </Modal.Title>
          {typeof asked?.children === 'function' ? asked.children(() => onAnswer(false)) : asked?.children}
          <Group justify="flex-end" gap="sm" mt="md">
            <Button variant="default" onClick={() => onAnswer(false)} data-autofocus>
              {t('action.cancel')}
            </Button>
            <Button color={asked?.danger ? 'red' : undefined} onClick={() => onAnswer(true)}>
              {asked && t(asked.action)}
            </Button>
          </Group>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
