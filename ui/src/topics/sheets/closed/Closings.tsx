import { Group, Stack, Text } from '@mantine/core';
import { type ClosingView, type SheetView, useListClosingsQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { DownloadReportButton } from '@/shared/forms/DownloadReportButton';

/**
 * List the closings of a sheet.
 *
 * Each version of a reopened sheet can be saved as it was.
 */
export function Closings({ sheet }: { sheet: SheetView }) {
  const t = useText();
  const format = useFormat();
  // Optional: the history also shows who closed the sheet.
  const { data } = useListClosingsQuery({ sheetId: sheet.id });

  const told = ({ turn, closed_at, by, total }: ClosingView) =>
    [
      t('sheets.version', { turn }),
      by
        ? t('sheets.closedBy', { moment: format.moment(closed_at), by })
        : t('sheets.closedThen', { moment: format.moment(closed_at) }),
      total !== undefined && format.money(total),
    ]
      .filter(Boolean)
      .join(' · ');

  const [only, ...others] = data?.items ?? [];
  if (!only) return null;
  if (others.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {told(only)}
      </Text>
    );
  return (
    <Stack component="ul" gap="xs" p={0} m={0} aria-label={t('sheets.versions')}>
      {[...others.reverse(), only].map((closing) => (
        <Group component="li" key={closing.turn} gap="sm" justify="flex-start">
          <Text>{told(closing)}</Text>
          <DownloadReportButton
            variant="subtle"
            path={`/api/consumption-sheets/${sheet.id}/closings/${closing.turn}/pdf`}
            name={`${t('sheets.reportFile', { id: sheet.id })}-${closing.turn}`}
            of={t('sheets.version', { turn: closing.turn })}
          />
        </Group>
      ))}
    </Stack>
  );
}
