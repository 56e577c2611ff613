import { Button, Group } from '@mantine/core';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';

const reasons: MessageId[] = ['reason.wrongPatient', 'reason.wrongProduct', 'reason.wrongQuantity'];

/** Offer the most common reasons as buttons. */
export function ReasonButtons({ onChoose }: { onChoose: (reason: string) => void }) {
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
