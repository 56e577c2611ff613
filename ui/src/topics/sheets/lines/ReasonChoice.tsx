import { Button, SimpleGrid, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';

interface Props<Reason extends string> {
  /** The label of each reason, in their order. */
  labels: Record<Reason, MessageId>;
  value: Reason | '';
  onChange: (reason: Reason) => void;
  error?: ReactNode;
  /** Whether Alt with a number chooses one. */
  hasKeys?: boolean;
  /** Whether the first reason takes the focus of the dialog. */
  takesFocus?: boolean;
}

/** Choose one of a few reasons. */
export function ReasonChoice<Reason extends string>(props: Props<Reason>) {
  const { labels, value, onChange, error, hasKeys, takesFocus } = props;
  const t = useText();
  const id = useId();
  return (
    <div>
      <Text id={id} fw={500} mb={4}>
        {t('reason.label')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" role="group" aria-labelledby={id}>
        {(Object.keys(labels) as Reason[]).map((reason, place) => (
          <Button
            key={reason}
            variant={value === reason ? 'filled' : 'default'}
            aria-pressed={value === reason}
            aria-keyshortcuts={hasKeys ? `Alt+${place + 1}` : undefined}
            justify="flex-start"
            px="sm"
            data-autofocus={(takesFocus && place === 0) || undefined}
            onClick={() => onChange(reason)}
          >
            {t(labels[reason])}
          </Button>
        ))}
      </SimpleGrid>
      {error && (
        <Text c="red" size="sm" role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
