import { Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { UseReason } from '@/api/generated';
import { ReasonChoice } from './ReasonChoice';
import { usesOfArea, wasteReasons } from './wasteReasons';

interface Props {
  value: UseReason | '';
  onChange: (reason: UseReason) => void;
  error?: ReactNode;
  inBar?: boolean;
}

/** Choose what an area uses supplies for: a reason of use, or of waste. Alt with a number chooses in the bar. */
export function AreaReasonChoice({ error, ...props }: Props) {
  const Box = props.inBar ? Group : Stack;
  return (
    <Box gap="6px 1.5rem">
      <ReasonChoice<UseReason>
        {...props}
        label="area.reason"
        labels={usesOfArea}
        firstKey={props.inBar ? 1 : undefined}
      />
      <ReasonChoice<UseReason>
        {...props}
        label="area.wasted"
        labels={wasteReasons}
        firstKey={props.inBar ? 5 : undefined}
        error={error}
      />
    </Box>
  );
}
