import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import type { UserView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { fullName } from '@/shared/records/fullName';
import { roleOf, useManagedRoles } from '../roles';
import { UnassignedStaffSelect } from './UnassignedStaffSelect';

export interface UserValues {
  email: string;
  role: string;
  /** Whether the person fills in a new profile instead of getting an existing one. */
  new_profile: boolean;
  staff_id: number | null;
}

/** Build the form of another user's account; without `user`, of a new one. */
export function useUserForm(user?: UserView) {
  const t = useText();
  const roles = useManagedRoles();
  const keepsProfile = (role: string) => roles.some((one) => one.role === role && one.has_profile);
  const form = useForm<UserValues>({
    initialValues: {
      email: user?.email ?? '',
      role: user?.role ?? roles[0]?.role ?? '',
      new_profile: !user?.profile,
      staff_id: user?.staff_id ?? null,
    },
    validate: {
      email: isNotEmpty(t('form.required')),
      staff_id: (staff_id, { role, new_profile }) =>
        keepsProfile(role) && !new_profile && staff_id === null ? t('users.staffRequired') : null,
    },
  });

  /**
   * Convert the form to the request.
   *
   * 0 is no profile. If the role has none, the account keeps its profile.
   */
  function draftOf({ email, role, new_profile, staff_id }: UserValues) {
    const chosen = new_profile ? null : staff_id;
    const kept = user?.staff_id ?? null;
    return { email, role: Number(role), staff_id: (keepsProfile(role) ? chosen : kept) ?? 0 };
  }

  return { form, draftOf, keepsProfile };
}

interface Props {
  form: UseFormReturnType<UserValues>;
  keepsProfile: (role: string) => boolean;
  user?: UserView;
}

export function UserFields({ form, keepsProfile, user }: Props) {
  const t = useText();
  const roles = useManagedRoles();
  const { role, new_profile } = form.values;
  const profile = user?.profile;
  return (
    <>
      <TextInput
        label={t('users.email')}
        type="email"
        autoComplete="off"
        required
        autoFocus
        {...form.getInputProps('email')}
      />
      <NativeSelect
        label={t('users.role')}
        required
        description={role && t(roleOf(role).hint)}
        data={roles.map(({ role, name }) => ({ value: role, label: t(name) }))}
        {...form.getInputProps('role')}
      />
      {user && user.role !== role && <Text size="sm">{t('users.roleEndsSessions')}</Text>}
      {keepsProfile(role) && (
        <>
          <Checkbox
            size="md"
            label={t('users.newProfile')}
            description={
              profile && new_profile
                ? t('users.newProfileFrees', { name: fullName(profile) })
                : t('users.newProfileHint')
            }
            {...form.getInputProps('new_profile', { type: 'checkbox' })}
          />
          {!new_profile && <UnassignedStaffSelect current={profile} {...form.getInputProps('staff_id')} />}
        </>
      )}
    </>
  );
}
