import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import {
  type AskedSecondFactor,
  type LinkAccount,
  useCheckPasswordOnLinkMutation,
  useChoosePasswordMutation,
  useSignOutMutation,
} from '@/api/generated';
import type { Problem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { signedIn, useSession } from '@/session/session';
import { focusFirstError } from '@/shared/forms/focusFirstError';
import { type NewPassword, NewPasswordFields, passwordFaults } from '@/shared/forms/NewPasswordFields';
import { useSubmit } from '@/shared/forms/useSubmit';
import { toast } from '@/shared/ui/toast';
import { LazyPasskeyStep } from './LazyPasskeyStep';
import { useRefusal } from './useRefusal';

interface Props {
  token: string;
  /** For whom the link is; null if that could not be read. */
  holder: LinkAccount | null;
  /** Called with the server's message if the link is no longer valid. */
  onRefusal: (message: string) => void;
}

/** Choose the password of the link's account, and sign in. */
export function ChoosePasswordForm({ token, holder, onRefusal }: Props) {
  const t = useText();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const session = useSession();
  const [choosePassword] = useChoosePasswordMutation();
  const [judge] = useCheckPasswordOnLinkMutation();
  const [signOut] = useSignOutMutation();
  const { submit, pending } = useSubmit();
  const { explain, clear, refusal } = useRefusal();
  const [passkey, setPasskey] = useState<AskedSecondFactor | null>(null);
  const form = useForm<NewPassword>({
    initialValues: { password: '', password_confirmation: '' },
    validate: (values) => passwordFaults(values, t),
  });

  function onProblem(problem: Problem) {
    const spent = problem.messages.find(({ field }) => field === 'token');
    if (!spent) return explain(problem);
    onRefusal(spent.text);
    return true;
  }

  async function save(chosen: NewPassword) {
    clear();
    const saved = await submit(() => choosePassword({ chosenPassword: { token, ...chosen } }), {
      form,
      onProblem,
    });
    if (!saved.ok) return;
    if (session.token) await signOut();
    if ('second_factor' in saved.data) return setPasskey(saved.data.second_factor);
    toast.success(t('session.welcome'), { autoClose: 1000 });
    dispatch(signedIn(saved.data.access_token));
    navigate('/', { replace: true });
  }

  if (passkey) return <LazyPasskeyStep asked={passkey} onBack={() => navigate('/auth/login')} />;
  return (
    <form noValidate onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}>
      <Stack gap="md">
        {refusal}
        {session.user && <Alert>{t('reset.otherSession', { email: session.user.email })}</Alert>}
        {holder && (
          <>
            {holder.name && <Text fw={700}>{holder.name}</Text>}
            <TextInput
              label={t('session.email')}
              type="email"
              autoComplete="username"
              value={holder.email}
              readOnly
            />
          </>
        )}
        <NewPasswordFields
          form={form}
          judge={(password) => judge({ passwordTypedOnLink: { token, password } })}
          required
          autoFocus
        />
        <Button type="submit" loading={pending}>
          {t('reset.save')}
        </Button>
      </Stack>
    </form>
  );
}
