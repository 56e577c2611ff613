import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { useCreateFirstAdministratorMutation } from '@/api/generated';
import type { Problem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { signedIn } from '@/session/session';
import { focusFirstError } from '@/shared/forms/focusFirstError';
import { NewPasswordFields, passwordFaults } from '@/shared/forms/NewPasswordFields';
import { useSubmit } from '@/shared/forms/useSubmit';
import { LinkPageFrame } from './LinkPageFrame';
import classes from './session.module.css';
import { useRefusal } from './useRefusal';
import { useTokenFromUrl } from './useTokenFromUrl';

const READ_LOG = 'journalctl -u consumo -n 20';

/** The target of the server's setup link. Without a secret it says where the link is. */
export default function FirstAdministratorPage() {
  const t = useText();
  const token = useTokenFromUrl();
  const [refusal, setRefusal] = useState<string | null>(null);
  return (
    <LinkPageFrame title={t('setup.title')}>
      {refusal && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      {token && !refusal ? <FirstAdministratorForm token={token} onRefusal={setRefusal} /> : <Notice />}
    </LinkPageFrame>
  );
}

function Notice() {
  const t = useText();
  return (
    <Stack gap="xs">
      <Text>{t('setup.where')}</Text>
      <code className={classes.command}>{READ_LOG}</code>
      <Text c="dimmed">{t('setup.expires')}</Text>
    </Stack>
  );
}

interface Props {
  token: string;
  /** Called with the server's message if the link is no longer valid. */
  onRefusal: (message: string) => void;
}

function FirstAdministratorForm({ token, onRefusal }: Props) {
  const t = useText();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const [create] = useCreateFirstAdministratorMutation();
  const { submit, pending } = useSubmit();
  const { explain, clear, refusal } = useRefusal();
  const form = useForm({
    initialValues: { email: '', password: '', password_confirmation: '' },
    validate: (values) => ({
      email: isNotEmpty(t('form.required'))(values.email),
      ...passwordFaults(values, t),
    }),
  });

  function onProblem(problem: Problem) {
    const spent = problem.messages.find(({ field }) => field === 'token');
    if (!spent) return explain(problem);
    onRefusal(spent.text);
    return true;
  }

  async function save(values: typeof form.values) {
    clear();
    const saved = await submit(() => create({ firstAdministratorDraft: { token, ...values } }), {
      form,
      success: 'session.welcome',
      autoClose: 1000,
      onProblem,
    });
    if (!saved.ok) return;
    dispatch(signedIn(saved.data.access_token));
    navigate('/', { replace: true });
  }

  return (
    <form noValidate onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}>
      <Stack gap="md">
        <Text c="dimmed">{t('setup.explained')}</Text>
        {refusal}
        <TextInput
          label={t('session.email')}
          type="email"
          autoComplete="username"
          required
          autoFocus
          {...form.getInputProps('email')}
        />
        <NewPasswordFields form={form} required />
        <Button type="submit" loading={pending}>
          {t('setup.create')}
        </Button>
      </Stack>
    </form>
  );
}
