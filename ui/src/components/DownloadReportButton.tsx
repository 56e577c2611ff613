import { Button } from '@mantine/core';
import IconFileTypePdf from '@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs';
import { useDownloadMutation } from '@/api/download';
import { useText } from '@/i18n/useText';
import { useSubmit } from './useSubmit';

interface Props {
  /** Where the PDF comes from, and what it is narrowed to. */
  path: string;
  query?: Record<string, unknown>;
  /** What the file is called, before its ending; it tells nobody's name. */
  name: string;
  /** Of what, where there are several such buttons. */
  of?: string;
  variant?: 'default' | 'subtle';
  disabled?: boolean;
  className?: string | undefined;
}

/** Saves a report as the PDF that is handed over. */
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
