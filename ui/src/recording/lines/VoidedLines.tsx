import { Button, Drawer, Stack, Text } from '@mantine/core';
import { type DetailView, useListSheetDetailsQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { useEscape } from '@/shared/dialogs/useEscape';
import { useReturnFocus } from '@/shared/dialogs/useReturnFocus';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { EmptyState } from '@/shared/ui/EmptyState';
import { PageLoader } from '@/shared/ui/PageLoader';
import classes from './VoidedLines.module.css';

interface Props {
  sheetId: number;
  onClose: () => void;
  /** Fills the bar with the line's values; a voided line cannot be restored. */
  onAgain?: (detail: DetailView) => void;
}

/** List the voided lines of a sheet: by whom, when and why. */
export default function VoidedLines({ sheetId, onClose, onAgain }: Props) {
  useEscape(true, onClose);
  useReturnFocus(true);
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const lines = useListSheetDetailsQuery(
    { sheetId, voided: 'only', limit: 100 },
    { refetchOnMountOrArgChange: true },
  );
  throwOnError(lines);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title={t('details.voided.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {!lines.data && <PageLoader />}
      {lines.data?.items.length === 0 && <EmptyState title={t('details.voided.none')} />}
      <Stack component="ul" gap="md" className={classes.lines}>
        {lines.data?.items.map((detail) => (
          <li key={detail.id}>
            <Text component="s">
              {[
                format.counted(detail.quantity, nameAndCode(detail.product)),
                seesPrices && detail.total !== undefined && format.money(detail.total),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            {detail.voided && (
              <Text size="sm" c="dimmed">
                {[
                  t('details.voided.by', {
                    person: detail.voided.by.name,
                    at: format.moment(detail.voided.at),
                    recorded: format.moment(detail.created_at),
                  }),
                  detail.voided.reason,
                ]
                  .filter(Boolean)
                  .join(' ')}
              </Text>
            )}
            {onAgain && (
              <Button variant="default" size="compact-md" mt={4} onClick={() => onAgain(detail)}>
                {t('details.voided.again')}
              </Button>
            )}
          </li>
        ))}
      </Stack>
    </Drawer>
  );
}
