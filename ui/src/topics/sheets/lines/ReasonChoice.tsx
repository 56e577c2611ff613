import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { UseReason } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { usesOfArea, wasteReasons } from './wasteReasons';

interface Props<Reason extends string> {
  label?: MessageId;
  /** The label of each reason, in their order. */
  labels: Partial<Record<Reason, MessageId>>;
  value: Reason | '';
  onChange: (reason: Reason) => void;
  error?: ReactNode;
  /** The number that chooses the first reason together with Alt. Without it there are no keys. */
  firstKey?: number;
  /** Whether the first reason takes the focus of the dialog. */
  takesFocus?: boolean;
  /** Whether the reasons are beside their label, with their keys, as a bar has them. */
  inBar?: boolean;
}

/** Choose one of a few reasons. */
export function ReasonChoice<Reason extends string>(props: Props<Reason>) {
  const { label = 'reason.label', labels, value, onChange, error, firstKey, takesFocus, inBar } = props;
  const t = useText();
  const id = useId();
  const reasons = Object.keys(labels) as Reason[];
  function button(reason: Reason, place: number) {
    const key = firstKey === undefined ? undefined : firstKey + place;
    return (
      <Button
        key={reason}
        variant={value === reason ? 'filled' : 'default'}
        aria-pressed={value === reason}
        aria-keyshortcuts={key ? `Alt+${key}` : undefined}
        leftSection={inBar && key && <kbd aria-hidden>{key}</kbd>}
        justify="flex-start"
        px="sm"
        {...(inBar && { h: 'var(--control)', mih: 'var(--control)', fz: 'sm' })}
        data-autofocus={(takesFocus && place === 0) || undefined}
        onClick={() => onChange(reason)}
      >
        {t(labels[reason] as MessageId)}
      </Button>
    );
  }
  if (inBar)
    return (
      <Group gap={6} role="group" aria-labelledby={id}>
        <Text id={id} component="b" fw={700} miw="5.25rem">
          {t(label)}
        </Text>
        {reasons.map(button)}
      </Group>
    );
  return (
    <div>
      <Text id={id} fw={500} mb={4}>
        {t(label)}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" role="group" aria-labelledby={id}>
        {reasons.map(button)}
      </SimpleGrid>
      {error && (
        <Text c="red" size="sm" role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}

interface AreaProps {
  value: UseReason | '';
  onChange: (reason: UseReason) => void;
  error?: ReactNode;
  inBar?: boolean;
}

/** Choose what an area uses supplies for: a reason of use, or of waste. Alt with a number chooses in the bar. */
export function AreaReasonChoice({ error, ...props }: AreaProps) {
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

interface UseProps {
  area: string;
  isOn: boolean;
  onToggle: () => void;
  reason: UseReason | '';
  onReason: (reason: UseReason) => void;
  error?: ReactNode;
}

/** Choose the page of an area instead of a patient's sheet, and what the area used the lines for. */
export function AreaUse({ area, isOn, onToggle, reason, onReason, error }: UseProps) {
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
