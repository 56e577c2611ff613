import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { UseReason } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { AreaReasonChoice } from './AreaReasonChoice';

interface Props {
  area: string;
  isOn: boolean;
  onToggle: () => void;
  reason: UseReason | '';
  onReason: (reason: UseReason) => void;
  error?: ReactNode;
}

/** Choose the page of an area instead of a patient's sheet, and what the area used the lines for. */
export function AreaUse({ area, isOn, onToggle, reason, onReason, error }: Props) {
  const t = useText();
  return (
    <>
      <Button variant={isOn ? 'filled' : 'default'} aria-pressed={isOn} onClick={onToggle}>
        {t('area.of', { area })}
      </Button>
      {isOn && <AreaReasonChoice value={reason} onChange={onReason} error={error} />}
    </>
  );
}
