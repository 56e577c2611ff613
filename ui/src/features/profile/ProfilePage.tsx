import { Button, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import '@mantine/core/styles/SimpleGrid.css';
import { useDispatch } from 'react-redux';
import { Link, useNavigate } from 'react-router-dom';
import {
  type StaffView,
  useCompleteProfileMutation,
  useLazyReadOwnAccountQuery,
  useReadOwnProfileQuery,
} from '@/api/generated';
import { failOn } from '@/api/problem';
import { DateField } from '@/components/DateField';
import { focusFirstError } from '@/components/focusFirstError';
import { PageLoader } from '@/components/PageLoader';
import { useSubmit } from '@/components/useSubmit';
import { useToast } from '@/components/useToast';
import { useText } from '@/i18n/useText';
import { accountRead, useSession } from '@/session/session';
import { useSignOut } from '@/session/useSignOut';

/** The own staff profile. Ward staff without one are sent here before anything else. */
export function ProfilePage() {
  const profile = useReadOwnProfileQuery();
  failOn(profile);
  return profile.data ? <ProfileForm profile={profile.data.data} /> : <PageLoader />;
}

function ProfileForm({ profile }: { profile: StaffView | null }) {
  const t = useText();
  const toast = useToast();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { user } = useSession();
  const dispatch = useDispatch();
  const [readAccount] = useLazyReadOwnAccountQuery();
  const [completeProfile] = useCompleteProfileMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: {
      name: profile?.name ?? '',
      first_surname: profile?.first_surname ?? '',
      second_surname: profile?.second_surname ?? '',
      telephone_number: profile?.telephone_number ?? '',
      job_title: profile?.job_title ?? '1',
      date_of_birth: profile?.date_of_birth ?? (null as string | null),
    },
    validate: { name: isNotEmpty(t('form.required')), first_surname: isNotEmpty(t('form.required')) },
  });

  async function save(values: typeof form.values) {
    const staffDraft = { ...values, date_of_birth: values.date_of_birth ?? undefined };
    const saved = await submit(() => completeProfile({ staffDraft }), { form });
    if (!saved.ok) return;
    if (!saved.data.user_id) {
      toast.error(t('profile.failed'));
      return;
    }
    toast.success(t('profile.updated'));
    const account = await readAccount(); // what one may do depends on having a profile
    if (account.data) dispatch(accountRead(account.data));
    navigate('/');
  }

  return (
    <form noValidate onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}>
      <title>{`${t('profile.title')} · Consumo`}</title>
      <Stack gap="md">
        <Title order={1}>{t('profile.title')}</Title>
        {user?.profile_required && <Text c="dimmed">{t('profile.why')}</Text>}
        <TextInput
          label={t('person.name')}
          required
          autoComplete="given-name"
          {...form.getInputProps('name')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label={t('person.firstSurname')}
            required
            autoComplete="family-name"
            {...form.getInputProps('first_surname')}
          />
          <TextInput label={t('person.secondSurname')} {...form.getInputProps('second_surname')} />
          <TextInput
            label={t('person.telephone')}
            type="tel"
            autoComplete="tel"
            {...form.getInputProps('telephone_number')}
          />
          <DateField label={t('person.dateOfBirth')} {...form.getInputProps('date_of_birth')} />
        </SimpleGrid>
        <TextInput label={t('person.jobTitle')} {...form.getInputProps('job_title')} />
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
