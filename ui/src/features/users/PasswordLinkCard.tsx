import { Button, Group, Paper, Stack, Text, TextInput, Title, VisuallyHidden } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { useRef, useState } from 'react';
import type { Link } from '@/api/generated';
import { useConfirm } from '@/components/Confirm';
import { useLeaveGuard } from '@/components/useLeaveGuard';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './PasswordLinkCard.module.css';

interface Props {
  link: Link;
  /** Whose link it is. */
  email: string;
  /** What else the person should know of this link. */
  note: MessageId;
  onDone: () => void;
}

const leaving = { question: 'users.link.leave.question', action: 'users.link.leave.action' } as const;

/** A link on which someone chooses a password, shown once: whoever leaves without having copied it is asked. */
export function PasswordLinkCard({ link, email, note, onDone }: Props) {
  const t = useText();
  const format = useFormat();
  const confirm = useConfirm();
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const [refused, setRefused] = useState(false);
  useLeaveGuard(() => !copied, leaving);

  async function copy() {
    const done = await copyText(link.url, field.current);
    setCopied(done);
    setRefused(!done);
  }

  async function finish() {
    if (copied || (await confirm({ ...leaving, danger: true }))) onDone();
  }

  return (
    <Paper withBorder component="section" aria-labelledby="password-link" className={classes.card}>
      <Stack gap="md">
        <Title order={2} id="password-link" fz="xl">
          {t('users.link.title', { email })}
        </Title>
        <Text id="password-link-use">
          {t('users.link.use', { at: format.moment(link.expires_at) })}{' '}
          <strong>{t('users.link.once')}</strong>
        </Text>
        <Group align="flex-end" gap="sm">
          <TextInput
            ref={field}
            className={classes.link}
            label={t('users.link.label')}
            error={refused && t('users.link.selected')}
            value={link.url}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
            onCopy={() => setCopied(true)}
          />
          <Button
            leftSection={copied ? <IconCheck size={20} aria-hidden /> : <IconCopy size={20} aria-hidden />}
            onClick={copy}
            autoFocus
            aria-describedby="password-link password-link-use"
          >
            {t(copied ? 'users.link.copied' : 'users.link.copy')}
          </Button>
        </Group>
        <VisuallyHidden role="status">{copied && t('users.link.copied')}</VisuallyHidden>
        <Text size="sm" c="dimmed">
          {t(note)}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={finish}>
            {t('users.link.done')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

/** The clipboard is open to pages on https and localhost alone; wards also run plain http inside their own network. */
async function copyText(text: string, field: HTMLInputElement | null) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field?.select();
    return document.execCommand('copy');
  }
}
