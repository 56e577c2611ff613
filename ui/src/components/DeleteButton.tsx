import { Button, Text } from '@mantine/core';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useNavigate } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { useConfirm } from './Confirm';
import { settled } from './useLeaveGuard';
import { useSubmit } from './useSubmit';

interface Props {
  label: MessageId;
  question: MessageId;
  success: MessageId;
  /** What will be gone, in words. */
  what: string;
  run: () => PromiseLike<{ data?: unknown; error?: unknown }>;
  /** Where to go when it is gone. */
  after: string;
}

/** Delete what this page is about, once the person is sure. */
export function DeleteButton({ label, question, success, what, run, after }: Props) {
  const t = useText();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const { submit, pending } = useSubmit();

  async function remove() {
    const sure = await confirm({ question, action: label, danger: true, children: <Text>{what}</Text> });
    if (!sure) return;
    const deleted = await submit(run, { success });
    if (deleted.ok) navigate(after, { replace: true, state: settled });
  }

  return (
    <Button
      variant="subtle"
      color="red"
      leftSection={<IconTrash size={20} aria-hidden />}
      loading={pending}
      onClick={remove}
    >
      {t(label)}
    </Button>
  );
}
