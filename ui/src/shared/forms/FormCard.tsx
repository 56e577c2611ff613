import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { focusFirstError } from './focusFirstError';
import { useRestoredForm } from './useRestoredForm';
import { useUnsavedChangesPrompt } from './useUnsavedChangesPrompt';

interface Props<Values> {
  form: UseFormReturnType<Values>;
  save: (values: Values) => void;
  pending: boolean;
  /** Whether there is unsaved work outside this form, such as text in a dialog above it. */
  alsoUnsaved?: () => boolean;
  /** Where the cancel button leads. */
  back: string;
  backLabel?: MessageId;
  submitLabel?: string;
  /** Information to read before filling in the form. */
  notice?: ReactNode;
  /** Other actions, such as deleting. */
  extra?: ReactNode;
  children: ReactNode;
}

/** Form with a page of its own. It asks before discarding unsaved changes. */
export function FormCard<Values>({
  form,
  save,
  pending,
  alsoUnsaved,
  back,
  backLabel = 'action.cancel',
  submitLabel,
  notice,
  extra,
  children,
}: Props<Values>) {
  const t = useText();
  useRestoredForm(form);
  useUnsavedChangesPrompt(() => form.isDirty() || Boolean(alsoUnsaved?.()));
  return (
    <Paper
      withBorder
      component="form"
      noValidate
      maw="44rem"
      p={{ base: 'md', sm: 'lg' }}
      onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}
    >
      <Stack gap="md">
        {notice}
        {children}
        <Text size="sm" c="dimmed">
          {t('form.requiredHint')}
        </Text>
        <Group justify="space-between">
          {extra}
          <Group ml="auto">
            <Button component={Link} to={back} variant="default">
              {t(backLabel)}
            </Button>
            <Button type="submit" loading={pending}>
              {submitLabel ?? t('action.save')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Paper>
  );
}
