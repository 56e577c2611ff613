import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useText } from '@/i18n/useText';
import type { FileImport } from './useFileImport';

/**
 * Show errors, and scroll to them.
 *
 * The buttons that check and import are far below.
 */
export function FileProblems({ problems, again }: Pick<FileImport, 'problems' | 'again'>) {
  const t = useText();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problems.length > 0) place.current?.scrollIntoView({ block: 'center' });
  }, [problems]);
  if (problems.length === 0) return null;
  return (
    <Alert ref={place} color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {problems.map((problem) => (
        <Text key={problem}>{problem}</Text>
      ))}
      {again && (
        <Button variant="default" mt="sm" onClick={again}>
          {t('action.retry')}
        </Button>
      )}
    </Alert>
  );
}
