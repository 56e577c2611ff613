import { Button, Group } from '@mantine/core';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';

interface Props {
  reasons: MessageId[];
  /** Called with the text of the reason. */
  onChoose: (reason: string) => void;
}

/** Offer the most common reasons as buttons that fill in the field for it. */
export function ReasonButtons({ reasons, onChoose }: Props) {
  const t = useText();
  return (
    <Group gap="xs">
      {reasons.map((reason) => (
        <Button key={reason} variant="default" size="compact-md" onClick={() => onChoose(t(reason))}>
          {t(reason)}
        </Button>
      ))}
    </Group>
  );
}
