import { Button, Group, Title } from '@mantine/core';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import { Link } from 'react-router-dom';
import type { SheetView } from '@/api/generated';
import { DownloadReportButton } from '@/components/DownloadReportButton';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { CloseSheetButton } from './CloseSheetButton';
import classes from './DetailsHeader.module.css';

interface Props {
  sheet: SheetView;
  lines: number;
  /** Whether the sheet takes nothing any more. */
  over: boolean;
  /** Whether something that was entered is not recorded yet. */
  unrecorded: boolean;
  /** Go to a line that might be mended before the sheet is closed. */
  onMend: (detailId: number) => void;
}

export function DetailsHeader({ sheet, lines, over, unrecorded, onMend }: Props) {
  const t = useText();
  const mayEdit = useCan('sheets.edit');
  const mayClose = useCan('sheets.close');
  const mayReadHistory = useCan('sheets.history');
  return (
    <Group justify="space-between" gap="sm" className={classes.header}>
      <Group gap="sm">
        <Title order={3} id="details-title" tabIndex={-1} className={classes.title}>
          {t('sheets.recorded', { count: lines })}
        </Title>
        {mayReadHistory && (
          <Button
            component={Link}
            to={`/consumption-sheets/${sheet.id}/history`}
            variant="subtle"
            className={classes.history}
            leftSection={<IconHistory size={20} aria-hidden />}
          >
            {t('sheets.history.title')}
          </Button>
        )}
        <DownloadReportButton
          path={`/api/consumption-sheets/${sheet.id}/pdf`}
          name={t('sheets.reportFile', { id: sheet.id })}
          variant="subtle"
          className={classes.history}
        />
      </Group>
      {!over && (
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
          {mayClose && <CloseSheetButton sheet={sheet} disabled={unrecorded} onMend={onMend} />}
        </Group>
      )}
    </Group>
  );
}
