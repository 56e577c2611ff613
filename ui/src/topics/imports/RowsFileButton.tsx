import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useDownloadMutation } from '@/api/download';
import { parameters } from '@/api/upload';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { toast } from '@/shared/ui/toast';
import classes from './imports.module.css';
import { type FileImport, queryOf } from './useFileImport';

const words = {
  refused: { label: 'imports.downloadRefused', file: 'imports.refusedFile' },
  warned: { label: 'imports.downloadWarned', file: 'imports.warnedFile' },
} as const;

/** The file that contains the rows, and how it is read. */
export type RowsFile = Pick<FileImport, 'file' | 'choices' | 'leaveOut'>;

interface Props {
  /** Which rows to save. */
  which: keyof typeof words;
  rows: number;
  importing: RowsFile;
}

/**
 * Save refused rows, or rows with warnings, with the reasons.
 *
 * They can be corrected and imported again.
 */
export function RowsFileButton({ which, rows, importing: { file, choices, leaveOut } }: Props) {
  const t = useText();
  const format = useFormat();
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();
  if (!file) return null;
  const { label, file: called } = words[which];
  const fileName = `${t(called)} ${file.name.replace(/\.\w{1,5}$/, '')} ${format.dayOf(new Date())}.csv`;
  const query = parameters({ ...queryOf(choices), rows: which, leave_out: leaveOut || undefined });
  return (
    <Button
      variant="default"
      ml="auto"
      classNames={{ root: classes.wrapped, label: classes.wrapped }}
      leftSection={<IconDownload size={20} aria-hidden />}
      loading={pending}
      onClick={() =>
        submit(() => download({ path: '/api/imports/refused-rows', query, body: file, fileName }), {
          onProblem: ({ status, messages }) => {
            // Only the download failed, so the page stays as it is.
            if (status === null || status < 500) return false;
            toast.error(messages.map(({ text }) => text).join(' ') || t('error.unexpected'));
            return true;
          },
        })
      }
    >
      {t(label, { rows })}
    </Button>
  );
}
