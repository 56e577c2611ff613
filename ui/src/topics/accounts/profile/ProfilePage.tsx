import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useNavigate } from 'react-router-dom';
import { type StaffView, useCompleteProfileMutation, useReadOwnProfileQuery } from '@/api/generated';
import { useLazyReadOwnAccountQuery } from '@/api/lazy';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { forgetProviderNames, providerNames } from '@/session/providerNames';
import { accountRead, useSession } from '@/session/session';
import { ConfirmProvider } from '@/shared/dialogs/Confirm';
import { focusFirstError } from '@/shared/forms/focusFirstError';
import { useSubmit } from '@/shared/forms/useSubmit';
import { useUnsavedChangesPrompt } from '@/shared/forms/useUnsavedChangesPrompt';
import { PageLoader } from '@/shared/ui/PageLoader';
import { toast } from '@/shared/ui/toast';
import { StaffFields, type StaffValues, staffDraftOf, useStaffForm } from '@/topics/people/StaffFields';
import { useSignOut } from '../useSignOut';

/** The job title in the form of a new profile. */
const GENERAL = '1';

/**
 * Edit the user's own staff profile.
 *
 * Ward staff without one are redirected here first.
 */
export default function ProfilePage() {
  const profile = useReadOwnProfileQuery();
  throwOnError(profile);
  if (!profile.data) return <PageLoader />;
  return (
    <ConfirmProvider>
      <ProfileForm profile={profile.data.data} />
    </ConfirmProvider>
  );
}

function ProfileForm({ profile }: { profile: StaffView | null }) {
  const t = useText();
  const navigate = useNavigate();
  const { signOut, dialog } = useSignOut();
  const { user } = useSession();
  const dispatch = useDispatch();
  const [readAccount] = useLazyReadOwnAccountQuery();
  const [completeProfile] = useCompleteProfileMutation();
  const { submit, pending } = useSubmit();
  const form = useStaffForm(profile, GENERAL);
  const { setValues } = form;
  useEffect(() => {
    if (!profile) setValues(providerNames());
  }, [profile, setValues]);
  useUnsavedChangesPrompt(() => form.isDirty());

  async function save(values: StaffValues) {
    const saved = await submit(() => completeProfile({ staffDraft: staffDraftOf(values) }), { form });
    if (!saved.ok) return;
    if (!saved.data.user_id) {
      toast.error(t('profile.failed'));
      return;
    }
    forgetProviderNames();
    toast.success(t('profile.updated'));
    const account = await readAccount(); // permissions depend on having a profile
    if (account.data) dispatch(accountRead(account.data));
    navigate('/');
  }

  return (
    <form noValidate onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}>
      <title>{`${t('profile.title')} · Consumo`}</title>
      {dialog}
      <Stack gap="md">
        <Title order={1}>{t('profile.title')}</Title>
        {user?.profile_required && <Text c="dimmed">{t('profile.why')}</Text>}
        <StaffFields form={form} own />
        <Text size="sm" c="dimmed">
          {t('form.requiredHint')}
        </Text>
        <Group justify="space-between">
          {user?.profile_required ? (
            <Button variant="default" onClick={signOut}>
              {t('session.signOut')}
            </Button>
          ) : (
            <Button variant="default" component={Link} to="/">
              {t('action.back')}
            </Button>
          )}
          <Button type="submit" loading={pending}>
            {t('action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
