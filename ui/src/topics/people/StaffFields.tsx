import { TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useId } from 'react';
import type { StaffView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { PersonFields, personValues, usePersonValidation } from './PersonFields';

/** Return the form values of a staff member, for managers and for one's own profile. */
const staffValues = (staff: StaffView | null, jobTitle: string) => ({
  ...personValues(staff),
  telephone_number: staff?.telephone_number ?? '',
  job_title: staff ? (staff.job_title ?? '') : jobTitle,
});

export type StaffValues = ReturnType<typeof staffValues>;

/** Create the form. `jobTitle` is what it shows for a new staff member. */
export function useStaffForm(staff: StaffView | null, jobTitle = '') {
  return useForm({ initialValues: staffValues(staff, jobTitle), validate: usePersonValidation() });
}

/** Convert form values to the request body. */
export const staffDraftOf = (values: StaffValues) => ({
  ...values,
  date_of_birth: values.date_of_birth ?? undefined,
});

/** Suggested job titles; any other text may be typed. */
const JOB_TITLES: MessageId[] = [
  'jobTitle.nurse',
  'jobTitle.assistant',
  'jobTitle.doctor',
  'jobTitle.supervisor',
  'jobTitle.pharmacist',
];

interface Props {
  form: UseFormReturnType<StaffValues>;
  /** Whether it is one's own profile. */
  own?: boolean;
  autoFocus?: boolean;
}

export function StaffFields({ form, own, autoFocus }: Props) {
  const t = useText();
  const titles = useId();
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
        list={titles}
      />
      <datalist id={titles}>
        {JOB_TITLES.map((title) => (
          <option key={title} value={t(title)} />
        ))}
      </datalist>
    </PersonFields>
  );
}
