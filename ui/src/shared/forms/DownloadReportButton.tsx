import { Button } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useDownloadMutation } from '@/api/download';
import { useText } from '@/i18n/useText';
import { useSubmit } from './useSubmit';

interface Props {
  /** URL of the PDF, and its filters. */
  path: string;
  query?: Record<string, unknown>;
  /** The file name without extension. It must not contain a person's name. */
  name: string;
  /** Accessible name of the subject, if there are several such buttons. */
  of?: string;
  variant?: 'default' | 'subtle';
  disabled?: boolean;
  className?: string | undefined;
}

/** Button that downloads a report as PDF. */
export function DownloadReportButton({
  path,
  query = {},
  name,
  of,
  variant = 'default',
  disabled,
  className,
}: Props) {
  const t = useText();
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();
  return (
    <Button
      variant={variant}
      aria-label={of && `${t('sheets.downloadReport')}: ${of}`}
      className={className}
      disabled={disabled}
      leftSection={<IconFileTypePdf size={20} aria-hidden />}
      loading={pending}
      onClick={() => submit(() => download({ path, query, fileName: `${name}.pdf` }))}
    >
      {t('sheets.downloadReport')}
    </Button>
  );
}
