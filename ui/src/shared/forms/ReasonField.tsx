import { Textarea, type TextareaProps } from '@mantine/core';
import { useText } from '@/i18n/useText';

/** The field of a dialog for the reason of a decision, which is required. */
export function ReasonField(props: TextareaProps) {
  const t = useText();
  return (
    <Textarea
      label={t('reason.label')}
      required
      rows={3}
      maxLength={500}
      resize="vertical"
      data-autofocus
      {...props}
    />
  );
}
