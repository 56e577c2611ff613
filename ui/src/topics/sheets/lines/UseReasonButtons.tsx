import { Button, Group } from '@mantine/core';
import type { UseReason } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { AREA_REASONS, areaReasons, wasteReasons } from './wasteReasons';

interface Props {
  value: UseReason | '';
  onChoose: (reason: UseReason) => void;
  /** Whether Alt and a number choose, so that the numbers are shown. */
  withKeys?: boolean;
}

/** Offer what an area uses supplies for: the four reasons of use, and the four of waste. */
export function UseReasonButtons({ value, onChoose, withKeys = false }: Props) {
  const t = useText();
  return (
    <Group gap="6px 1.5rem">
      {(['area.reason', 'area.wasted'] as const).map((label) => (
        <Group key={label} gap={6} role="group" aria-label={t(label)}>
          <b style={{ minWidth: '5.25rem' }} aria-hidden>
            {t(label)}
          </b>
          {AREA_REASONS.map((reason, place) =>
            reason in wasteReasons === (label === 'area.wasted') ? (
              <Button
                key={reason}
                variant={value === reason ? 'filled' : 'default'}
                h="var(--control)"
                mih="var(--control)"
                px="sm"
                fz="sm"
                aria-pressed={value === reason}
                aria-keyshortcuts={withKeys ? `Alt+${place + 1}` : undefined}
                leftSection={withKeys && <kbd aria-hidden>{place + 1}</kbd>}
                onClick={() => onChoose(reason)}
              >
                {t(areaReasons[reason])}
              </Button>
            ) : null,
          )}
        </Group>
      ))}
    </Group>
  );
}
