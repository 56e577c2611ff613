import { IconFileSpreadsheet, IconFileTypeCsv } from '@tabler/icons-react';
import { useDownloadMutation } from '@/api/download';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import type { MoreItem } from '@/shared/ui/OverflowMenu';

export interface Export {
  /** URL of the list, such as `/api/areas`. */
  path: string;
  /** Active filters and order, as query parameters. */
  query: Record<string, string | number | boolean | undefined>;
}

const forms = [
  { form: 'xlsx', label: 'list.asWorkbook', icon: IconFileSpreadsheet },
  { form: 'csv', label: 'list.asCsv', icon: IconFileTypeCsv },
] as const;

interface Props extends Export {
  /** The file name, without date and extension. */
  name: string;
  /** Nothing to export. The menu items stay, so that the layout does not move. */
  disabled?: boolean;
}

/**
 * Menu items that export the whole filtered list.
 *
 * The format is a workbook, or text for other programs.
 */
export function useExport({ path, query, name, disabled }: Props): { items: MoreItem[]; busy: boolean } {
  const t = useText();
  const format = useFormat();
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();

  function save(form: string) {
    const fileName = `${name} ${format.dayOf(new Date())}.${form}`;
    submit(() => download({ path, query: { ...query, format: form }, fileName }));
  }

  const items = forms.map(({ form, label, icon }) => ({
    label: t(label),
    icon,
    disabled,
    run: () => save(form),
  }));
  return { items, busy: pending };
}
