import { Fieldset, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDispatch } from 'react-redux';
import { type OwnAccountView, useCheckOwnPasswordMutation } from '@/api/generated';
import { useLazyReadOwnAccountQuery } from '@/api/lazy';
import { useText } from '@/i18n/useText';
import { useChangeOwnAccountMutation } from '@/session/ownAccount';
import { accountRead, passwordChanged, useSession } from '@/session/session';
import { FormCard } from '@/shared/forms/FormCard';
import { type NewPassword, NewPasswordFields, passwordFaults } from '@/shared/forms/NewPasswordFields';
import { useSubmit } from '@/shared/forms/useSubmit';
import { Badges } from './Badges';
import { HospitalAccount } from './HospitalAccount';
import { Passkeys } from './Passkeys';
import { PinCard } from './PinCard';
import { Sessions } from './Sessions';

/**
 * Change the user's own email or password.
 *
 * The current password is required. The role cannot be changed.
 */
export default function OwnAccountPage() {
  const { user } = useSession();
  return (
    user && (
      <Stack gap="md">
        {/* Without a password, there is none to change, and the email is the hospital's. */}
        {user.has_password !== false && <OwnAccountForm user={user} />}
        <HospitalAccount user={user} />
        {user.quick_unlock && <PinCard user={user} />}
        {user.quick_unlock && <Badges userId={user.id} own />}
        <Passkeys userId={user.id} own />
        <Sessions userId={user.id} own />
      </Stack>
    )
  );
}

const noPasswords = { current_password: '', password: '', password_confirmation: '' };

function OwnAccountForm({ user }: { user: OwnAccountView }) {
  const t = useText();
  const dispatch = useDispatch();
  const [changeOwnAccount] = useChangeOwnAccountMutation();
  const [judge] = useCheckOwnPasswordMutation();
  const [readAccount] = useLazyReadOwnAccountQuery();
  const { submit, pending } = useSubmit();
  const asksForCurrent = (values: { email: string } & NewPassword) =>
    wantsPassword(values) || values.email !== user.email;

  const form = useForm({
    initialValues: { email: user.email, ...noPasswords },
    validate: (values) => ({
      email: values.email ? null : t('form.required'),
      current_password: !asksForCurrent(values) || values.current_password ? null : t('form.required'),
      ...(wantsPassword(values) && passwordFaults(values, t)),
    }),
  });

  async function save(values: typeof form.values) {
    // Browsers autofill the current password; without other changes it must not be sent.
    const userDraft = asksForCurrent(values) ? values : { ...noPasswords, email: values.email };
    const saved = await submit(() => changeOwnAccount({ userId: user.id, userDraft }), {
      form,
      success: 'users.updated',
    });
    if (!saved.ok) return;
    const { user: changed, signedIn } = saved.data;
    form.setInitialValues({ email: changed.email, ...noPasswords });
    form.reset();
    if (!signedIn) {
      dispatch(passwordChanged());
      return;
    }
    const account = await readAccount();
    if (account.data) dispatch(accountRead(account.data));
  }

  return (
    <FormCard form={form} save={save} pending={pending} back="/" backLabel="action.back">
      <TextInput
        label={t('users.email')}
        type="email"
        autoComplete="username"
        required
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label={t('account.currentPassword')}
        description={t('account.currentHint')}
        required={asksForCurrent(form.values)}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword'), tabIndex: 0 }}
        aria-invalid={'current_password' in form.errors || undefined}
        {...form.getInputProps('current_password')}
      />
      <Fieldset legend={t('account.password')}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('account.passwordHint')}
          </Text>
          <NewPasswordFields
            form={form}
            judge={(password) => judge({ typedPassword: { email: form.values.email, password } })}
          />
        </Stack>
      </Fieldset>
    </FormCard>
  );
}

const wantsPassword = (values: NewPassword) => Boolean(values.password || values.password_confirmation);
