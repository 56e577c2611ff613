import { TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { StaffView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { PersonFields, type PersonValues, personValues, usePersonValidation } from './PersonFields';

/** Form values of a staff member, for managers and for one's own profile. */
export interface StaffValues extends PersonValues {
  telephone_number: string;
  job_title: string;
}

export function useStaffForm(staff: StaffView | null, jobTitle = '') {
  return useForm<StaffValues>({
    initialValues: {
      ...personValues(staff),
      telephone_number: staff?.telephone_number ?? '',
      job_title: staff?.job_title ?? jobTitle,
    },
    validate: usePersonValidation(),
  });
}

/** Convert form values to the request body. */
export const staffDraftOf = (values: StaffValues) => ({
  ...values,
  date_of_birth: values.date_of_birth ?? undefined,
});

interface Props {
  form: UseFormReturnType<StaffValues>;
  /** Whether it is one's own profile. */
  own?: boolean;
  autoFocus?: boolean;
}

export function StaffFields({ form, own, autoFocus }: Props) {
  const t = useText();
  return (
    <PersonFields form={form} own={own} autoFocus={autoFocus}>
      <TextInput
        label={t('person.telephone')}
        type="tel"
        maxLength={200}
        autoComplete={own ? 'tel' : 'off'}
        {...form.getInputProps('telephone_number')}
      />
      <TextInput
        label={t('person.jobTitle')}
        description={own && t('profile.jobTitleHint')}
        // Its hint needs the full width.
        style={own ? { gridColumn: '1 / -1' } : undefined}
        maxLength={200}
        autoComplete={own ? 'organization-title' : 'off'}
        {...form.getInputProps('job_title')}
        // The initial value is a code, which a typed title should replace.
        onFocus={own ? (event) => event.currentTarget.select() : undefined}
      />
    </PersonFields>
  );
}
