import { Button } from '@mantine/core';
import IconFileTypePdf from '@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs';
import { useDownloadMutation } from '@/api/download';
import { useText } from '@/i18n/useText';
import { useSubmit } from './useSubmit';

interface Props {
  sheetId: number;
  variant?: 'default' | 'subtle';
  className?: string | undefined;
}

/** Saves a sheet as the PDF that is handed over. The file's name does not tell whose it is. */
export function DownloadReportButton({ sheetId, variant = 'default', className }: Props) {
  const t = useText();
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();
  return (
    <Button
      variant={variant}
      className={className}
      leftSection={<IconFileTypePdf size={20} aria-hidden />}
      loading={pending}
      onClick={() =>
        submit(() =>
          download({
            path: `/api/consumption-sheets/${sheetId}/pdf`,
            query: {},
            fileName: `${t('sheets.reportFile', { id: sheetId })}.pdf`,
          }),
        )
      }
    >
      {t('sheets.downloadReport')}
    </Button>
  );
}
