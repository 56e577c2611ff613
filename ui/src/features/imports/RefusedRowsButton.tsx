import { Button } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import { useDownloadMutation } from '@/api/download';
import { parameters } from '@/api/upload';
import { useSubmit } from '@/components/useSubmit';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './imports.module.css';
import { type FileImport, queryOf } from './useFileImport';

interface Props {
  refused: number;
  importing: Pick<FileImport, 'file' | 'choices'>;
}

/** Saves the rows that were refused, with the reasons, to be corrected and brought in again. */
export function RefusedRowsButton({ refused, importing: { file, choices } }: Props) {
  const t = useText();
  const format = useFormat();
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();
  if (!file) return null;
  const fileName = `${t('imports.refusedFile')} ${file.name.replace(/\.\w{1,5}$/, '')} ${format.dayOf(new Date())}.csv`;
  return (
    <Button
      variant="default"
      mr="auto"
      classNames={{ root: classes.wrapped, label: classes.wrapped }}
      leftSection={<IconDownload size={20} aria-hidden />}
      loading={pending}
      onClick={() =>
        submit(() =>
          download({
            path: '/api/imports/refused-rows',
            query: parameters(queryOf(choices)),
            body: file,
            fileName,
          }),
        )
      }
    >
      {t('imports.downloadRefused', { refused })}
    </Button>
  );
}
