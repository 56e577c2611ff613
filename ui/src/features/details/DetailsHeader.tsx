import { Button, Group, Title } from '@mantine/core';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import { Link } from 'react-router-dom';
import type { SheetView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { CloseSheetButton } from './CloseSheetButton';
import classes from './DetailsHeader.module.css';

interface Props {
  sheet: SheetView;
  lines: number;
  /** Whether something that was entered is not recorded yet. */
  unrecorded: boolean;
}

export function DetailsHeader({ sheet, lines, unrecorded }: Props) {
  const t = useText();
  const mayEdit = useCan('sheets.edit');
  const mayClose = useCan('sheets.close');
  return (
    <Group justify="space-between" gap="sm" className={classes.header}>
      <Title order={3} id="details-title" tabIndex={-1} className={classes.title}>
        {t('sheets.recorded', { count: lines })}
      </Title>
      {!sheet.closed && (
        <Group gap="sm" className={classes.buttons}>
          {mayEdit && (
            <Button
              component={Link}
              to={`/consumption-sheets/${sheet.id}/edit`}
              variant="default"
              leftSection={<IconPencil size={20} aria-hidden />}
            >
              {t('sheets.edit')}
            </Button>
          )}
          {mayClose && <CloseSheetButton sheet={sheet} lines={lines} disabled={unrecorded} />}
        </Group>
      )}
    </Group>
  );
}
