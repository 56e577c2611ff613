import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { UseReason } from '@/api/generated';
import { useText } from '@/i18n/useText';
import classes from './UseReasonButtons.module.css';
import { AREA_REASONS, areaReasons, wasteReasons } from './wasteReasons';

/** Choose a reason by Alt+1 to Alt+8. Physical keys: the numbers of a keypad belong to scanners. */
export const useReasonKeys = (onChoose: (reason: UseReason) => void) =>
  useHotkeys(
    AREA_REASONS.map((reason, place) => [
      `alt+Digit${place + 1}`,
      () => onChoose(reason),
      { usePhysicalKeys: true },
    ]),
    [],
  );

interface Props {
  value: UseReason | '';
  onChoose: (reason: UseReason) => void;
  /** Whether a choice is missing. */
  isAsked?: boolean;
}

/** Offer what an area uses supplies for: the four reasons of use, and the four of waste. */
export function UseReasonButtons({ value, onChoose, isAsked }: Props) {
  const t = useText();
  return (
    <div className={classes.groups} data-asked={isAsked || undefined}>
      {(['area.reason', 'area.wasted'] as const).map((label) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in one line.
        <div key={label} className={classes.group} role="group" aria-label={t(label)}>
          <span className={classes.label} aria-hidden>
            {t(label)}
          </span>
          {AREA_REASONS.map((reason, place) =>
            reason in wasteReasons === (label === 'area.wasted') ? (
              <Button
                key={reason}
                variant={value === reason ? 'filled' : 'default'}
                aria-pressed={value === reason}
                aria-keyshortcuts={`Alt+${place + 1}`}
                className={classes.reason}
                leftSection={
                  <kbd className={classes.key} aria-hidden>
                    {place + 1}
                  </kbd>
                }
                onClick={() => onChoose(reason)}
              >
                {t(areaReasons[reason])}
              </Button>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}
