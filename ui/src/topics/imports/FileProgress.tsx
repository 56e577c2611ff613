import { Button, Paper, Text, VisuallyHidden } from '@mantine/core';
import { useText } from '@/i18n/useText';
import classes from './imports.module.css';
import type { FileImport } from './useFileImport';

/** Show what the server is doing with the file, and the progress. */
export function FileProgress({ importing: { doing, progress, stop } }: { importing: FileImport }) {
  const t = useText();
  const counted = progress && progress.total > 0 ? progress : null;
  const saying =
    doing === 'reading'
      ? t('imports.reading')
      : doing === 'checking'
        ? t('imports.checking')
        : t('imports.importing');
  return (
    <>
      <VisuallyHidden role="status">{doing && saying}</VisuallyHidden>
      {doing && (
        <Paper withBorder p="md" className={classes.doing}>
          <Text fw={600} aria-hidden>
            {saying}
          </Text>
          <progress aria-label={saying} {...(counted && { value: counted.done, max: counted.total })} />
          <Text size="sm" c="dimmed">
            {counted ? t('imports.progress', { ...counted }) : t('imports.sending')}
          </Text>
          {doing === 'checking' && (
            <Button variant="default" onClick={stop}>
              {t('action.cancel')}
            </Button>
          )}
        </Paper>
      )}
    </>
  );
}
