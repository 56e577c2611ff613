import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { useRequestPasswordResetMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { returnTo } from '@/session/returnTo';
import { focusFirstError } from '@/shared/forms/focusFirstError';
import { useSubmit } from '@/shared/forms/useSubmit';
import { useRefusal } from './useRefusal';

/**
 * Request a reset link by mail.
 *
 * The answer does not reveal whether the account exists.
 */
export function RequestPasswordResetForm() {
  const t = useText();
  const [requestPasswordReset] = useRequestPasswordResetMutation();
  const { submit, pending } = useSubmit();
  const { explain, clear, refusal } = useRefusal();
  const [asked, setAsked] = useState(false);
  const form = useForm({
    initialValues: { email: returnTo().email ?? '' },
    validate: { email: isNotEmpty(t('form.required')) },
  });

  async function save(resetRequest: typeof form.values) {
    clear();
    setAsked(false);
    const sent = await submit(() => requestPasswordReset({ resetRequest }), { form, onProblem: explain });
    setAsked(sent.ok);
  }

  return (
    <form noValidate onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}>
      <Stack gap="md">
        <Text>{t('reset.ask')}</Text>
        {refusal}
        <TextInput
          label={t('session.email')}
          type="email"
          autoComplete="username"
          autoFocus
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={pending}>
          {t('reset.send')}
        </Button>
        <div role="status">{asked && <Alert>{t('reset.asked')}</Alert>}</div>
      </Stack>
    </form>
  );
}
