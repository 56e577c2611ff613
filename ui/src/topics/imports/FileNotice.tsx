import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import classes from './imports.module.css';

interface Props {
  notice: MessageId;
  /** Read the file again. */
  again: (() => void) | null;
}

/** Say what happened to the file, and offer to read it again. */
export function FileNotice({ notice, again }: Props) {
  const t = useText();
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      classNames={{ icon: classes.warn }}
      role="alert"
    >
      <Text>{t(notice)}</Text>
      {again && (
        <Button variant="default" mt="sm" onClick={again}>
          {t('imports.readAgain')}
        </Button>
      )}
    </Alert>
  );
}
