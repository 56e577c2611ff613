import { Button, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useNavigate } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from './useSubmit';
import { settled } from './useUnsavedChangesPrompt';

type Run = () => PromiseLike<{ data?: unknown; error?: unknown }>;

interface Props {
  label: MessageId;
  question: MessageId;
  success: MessageId;
  /** The name of what is deleted. */
  what: string;
  run: Run;
  /** The page to open afterwards. */
  after: string;
  /** What to offer if other records refer to it, such as making it inactive. */
  instead?: { question: MessageId; action: MessageId; success: MessageId; run: Run };
}

/** Delete the record of this page, after confirmation. */
export function DeleteButton({ label, question, success, what, run, after, instead }: Props) {
  const t = useText();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const { submit, pending } = useSubmit();

  async function remove() {
    const sure = await confirm({ question, action: label, danger: true, children: <Text>{what}</Text> });
    if (!sure) return;
    let inUse = '';
    const deleted = await submit(run, {
      success,
      onProblem: ({ messages }) => {
        inUse = (instead && messages.find(({ code }) => code === 'in_use')?.text) ?? '';
        return inUse !== '';
      },
    });
    if (deleted.ok || (instead && inUse && (await offerAlternative(instead, inUse))))
      navigate(after, { replace: true, state: settled });
  }

  async function offerAlternative(other: NonNullable<Props['instead']>, inUse: string) {
    const { question, action, success, run } = other;
    const sure = await confirm({ question, action, children: <Text>{inUse}</Text> });
    return sure && (await submit(run, { success })).ok;
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
