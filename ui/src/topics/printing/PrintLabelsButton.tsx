import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useText } from '@/i18n/useText';
import type { LabelsToPrint } from './PrintLabelsDialog';
import { usePrintLabels } from './usePrintLabels';

/**
 * Button that prints the labels of one record.
 *
 * Place it outside any form; `short` is for many buttons in a row.
 */
export function PrintLabelsButton({ short = false, ...asked }: LabelsToPrint & { short?: boolean }) {
  const t = useText();
  const { print, dialog } = usePrintLabels();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPrinter size={20} aria-hidden />}
        onClick={() => print(asked)}
      >
        {t(short ? 'labels.short' : 'labels.print')}
      </Button>
      {dialog}
    </>
  );
}
