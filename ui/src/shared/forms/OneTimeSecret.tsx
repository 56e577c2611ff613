import { Button, Group, Paper, Stack, Text, TextInput, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { useConfirm } from '@/shared/dialogs/Confirm';
import classes from './OneTimeSecret.module.css';
import { useUnsavedChangesPrompt } from './useUnsavedChangesPrompt';

interface Props {
  title: string;
  /** The purpose of the secret, and that it is only shown once. */
  use: ReactNode;
  label: MessageId;
  value: string;
  copy: MessageId;
  /** Further information. */
  note: MessageId;
  /** Another way to take the secret, which reports that it was taken. */
  another?: (taken: () => void) => ReactNode;
  leaving: { question: MessageId; action: MessageId };
  onDone: () => void;
}

/**
 * A secret that is shown once, such as a link or a key.
 *
 * It asks before it is closed without having been taken.
 */
export function OneTimeSecret({ title, use, label, value, copy, note, another, leaving, onDone }: Props) {
  const t = useText();
  const confirm = useConfirm();
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const [takenElsewhere, setTakenElsewhere] = useState(false);
  const isTaken = copied || takenElsewhere;
  const [refused, setRefused] = useState(false);
  useUnsavedChangesPrompt(() => !isTaken, leaving);

  async function take() {
    const done = await copyText(value, field.current);
    setCopied(done);
    setRefused(!done);
  }

  async function finish() {
    if (isTaken || (await confirm({ ...leaving, danger: true }))) onDone();
  }

  return (
    <Paper withBorder component="section" aria-labelledby="shown-once" className={classes.card}>
      <Stack gap="md">
        <Title order={2} id="shown-once" fz="xl">
          {title}
        </Title>
        <Text id="shown-once-use">{use}</Text>
        <Group align="flex-end" gap="sm">
          <TextInput
            ref={field}
            className={classes.link}
            label={t(label)}
            error={refused && t('once.selected')}
            value={value}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
            onCopy={() => setCopied(true)}
          />
          <Button
            leftSection={copied ? <IconCheck size={20} aria-hidden /> : <IconCopy size={20} aria-hidden />}
            onClick={take}
            autoFocus
            aria-describedby="shown-once shown-once-use"
          >
            {t(copied ? 'once.copied' : copy)}
          </Button>
        </Group>
        <VisuallyHidden role="status">{copied && t('once.copied')}</VisuallyHidden>
        {another?.(() => setTakenElsewhere(true))}
        <Text size="sm" c="dimmed">
          {t(note)}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={finish}>
            {t('once.done')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

/**
 * Copy to the clipboard.
 *
 * Its API needs https or localhost, but wards also use plain http in their own network.
 */
async function copyText(text: string, field: HTMLInputElement | null) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field?.select();
    return document.execCommand('copy');
  }
}
