import { Button, FileButton, Group, Text } from '@mantine/core';
import { IconFileSpreadsheet, IconUpload } from '@tabler/icons-react';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import classes from './imports.module.css';
import { useFileDrop } from './useFileDrop';

interface Props {
  file: File | null;
  rows: number | undefined;
  disabled: boolean;
  onChoose: (file: File) => void;
  onSeveral: () => void;
  /** Which files are accepted. */
  hint?: MessageId;
}

/** Choose a file by drag and drop or with the button; then show its name. */
export function ChosenFile({ file, rows, disabled, onChoose, onSeveral, hint }: Props) {
  const t = useText();
  const over = useFileDrop((files) => {
    const [only] = files;
    if (disabled || !only) return;
    if (files.length > 1) onSeveral();
    else onChoose(only);
  });
  const button = (
    <FileButton onChange={(chosen) => chosen && onChoose(chosen)} disabled={disabled}>
      {(props) => (
        <Button
          {...props}
          variant={file ? 'default' : 'filled'}
          disabled={disabled}
          leftSection={<IconUpload size={20} aria-hidden />}
        >
          {t(file ? 'imports.chooseAnother' : 'imports.choose')}
        </Button>
      )}
    </FileButton>
  );
  if (file) {
    return (
      <Group className={classes.chosen} data-over={over || undefined}>
        <IconFileSpreadsheet size={28} stroke={1.5} aria-hidden />
        <div className={classes.fileName}>
          <Text fw={600}>{file.name}</Text>
          <Text size="sm" c="dimmed">
            {[
              t('imports.size', { kilobytes: Math.ceil(file.size / 1000) }),
              rows !== undefined && t('imports.rows', { rows }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
        {button}
      </Group>
    );
  }
  return (
    <div className={classes.drop} data-over={over || undefined}>
      <IconFileSpreadsheet size={44} stroke={1.25} aria-hidden />
      <Text fw={600}>{t('imports.drop')}</Text>
      <Text c="dimmed" size="sm" maw="32rem">
        {t(hint ?? 'imports.dropHint', { kinds: t('imports.acceptedFiles') })}
      </Text>
      {button}
    </div>
  );
}
