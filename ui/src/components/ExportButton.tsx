import '@mantine/core/styles/Popover.css';
import { Button, Popover, Stack } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs';
import IconFileTypeCsv from '@tabler/icons-react/dist/esm/icons/IconFileTypeCsv.mjs';
import { useState } from 'react';
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
  /** What the file is called, before the day and its ending. */
  name: string;
  /** Where there is nothing to save; the button stays, so that what is beside it does not move. */
  disabled: boolean;
}

const forms = [
  { form: 'xlsx', label: 'list.asWorkbook', Icon: IconFileSpreadsheet },
  { form: 'csv', label: 'list.asCsv', Icon: IconFileTypeCsv },
] as const;

/** Saves the whole filtered list, not only the page that is shown, as a workbook or as text for other programs. */
export function ExportButton({ path, query, name, disabled }: Props) {
  const t = useText();
  const format = useFormat();
  const [asked, setAsked] = useState(false);
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();

  function save(form: string) {
    setAsked(false);
    const fileName = `${name} ${format.dayOf(new Date())}.${form}`;
    submit(() => download({ path, query: { ...query, format: form }, fileName }));
  }

  // Mantine's Menu would bring 3 kB to every page with a field that searches.
  return (
    <Popover
      opened={asked}
      onChange={setAsked}
      position="bottom-end"
      trapFocus
      returnFocus
      hideDetached={false}
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={20} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          loading={pending}
          disabled={disabled}
          onClick={() => setAsked(!asked)}
        >
          {t('list.export')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <Stack gap={4}>
          {forms.map(({ form, label, Icon }) => (
            <Button
              key={form}
              variant="subtle"
              justify="flex-start"
              leftSection={<Icon size={20} aria-hidden />}
              onClick={() => save(form)}
            >
              {t(label)}
            </Button>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
