import { Button } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import { useDownloadMutation } from '@/api/download';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSubmit } from './useSubmit';

export interface Export {
  /** Where the list comes from, such as `/api/areas`. */
  path: string;
  /** The filters and the order in force, under the names that the server gives them. */
  query: Record<string, string | number | boolean | undefined>;
}

interface Props extends Export {
  /** What the file is called, before the day and `.csv`. */
  name: string;
  /** Where there is nothing to save; the button stays, so that what is beside it does not move. */
  disabled: boolean;
}

/** Saves the whole filtered list, not only the page that is shown, as a file that spreadsheets open. */
export function ExportButton({ path, query, name, disabled }: Props) {
  const t = useText();
  const format = useFormat();
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();
  const fileName = `${name} ${format.dayOf(new Date())}.csv`;
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={20} aria-hidden />}
      loading={pending}
      disabled={disabled}
      onClick={() => submit(() => download({ path, query: { ...query, format: 'csv' }, fileName }))}
    >
      {t('list.export')}
    </Button>
  );
}
