import { Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FileReading } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { FileLayout } from './FileLayout';
import classes from './imports.module.css';
import { OpenQuestions } from './OpenQuestions';
import { Preview } from './Preview';
import type { FileImport } from './useFileImport';

interface Props {
  reading: FileReading;
  importing: Pick<FileImport, 'guessed' | 'changeNoun' | 'changeSetting' | 'changeColumn'>;
  /** Whether a request is running: the choices cannot be changed meanwhile. */
  busy: boolean;
  /** What is done with the file. */
  children: ReactNode;
}

/** How a file is read: questions, layout and columns, with its first rows. */
export function ReadingFields({ reading, importing, busy, children }: Props) {
  const t = useText();
  return (
    <fieldset className={classes.choices} disabled={busy} aria-busy={busy}>
      <legend>
        <VisuallyHidden>{t('imports.how')}</VisuallyHidden>
      </legend>
      <Stack gap="md">
        <OpenQuestions
          reading={reading}
          changeSetting={importing.changeSetting}
          changeColumn={importing.changeColumn}
        />
        <FileLayout
          reading={reading}
          guessed={importing.guessed}
          changeNoun={importing.changeNoun}
          changeSetting={importing.changeSetting}
        />
        <Preview reading={reading} changeColumn={importing.changeColumn} />
        {children}
      </Stack>
    </fieldset>
  );
}
