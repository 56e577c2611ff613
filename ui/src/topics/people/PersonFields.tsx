import { SimpleGrid, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { PatientView, StaffView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { DateField, useDayRule, withoutTime } from '@/shared/forms/DateField';

/** Return the form values that patients and staff share. */
export const personValues = (person: PatientView | StaffView | null) => ({
  name: person?.name ?? '',
  first_surname: person?.first_surname ?? '',
  second_surname: person?.second_surname ?? '',
  date_of_birth: person?.date_of_birth ? withoutTime(person.date_of_birth) : null,
});

export function usePersonValidation({ isNameRequired = true } = {}) {
  const t = useText();
  const format = useFormat();
  const required = isNotEmpty(t('form.required'));
  const dayRule = useDayRule();
  return {
    ...(isNameRequired && { name: required }),
    first_surname: required,
    date_of_birth: (day: string | null) =>
      dayRule(day) ?? (day && day > format.dayOf(new Date()) ? t('person.bornInFuture') : null),
  };
}

interface Props {
  // biome-ignore lint/suspicious/noExplicitAny: any form of a person, with any other values.
  form: UseFormReturnType<any>;
  /** Whether users fill in their own data: only then may the browser autofill it. */
  own?: boolean;
  autoFocus?: boolean;
  isNameRequired?: boolean;
  /** The fields that only this kind of person has. */
  children?: ReactNode;
}

export function PersonFields({ form, own, autoFocus, isNameRequired = true, children }: Props) {
  const t = useText();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <TextInput
        label={t('person.name')}
        required={isNameRequired}
        maxLength={200}
        autoComplete={own ? 'given-name' : 'off'}
        autoFocus={autoFocus}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t('person.firstSurname')}
        required
        maxLength={200}
        autoComplete={own ? 'family-name' : 'off'}
        {...form.getInputProps('first_surname')}
      />
      <TextInput
        label={t('person.secondSurname')}
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps('second_surname')}
      />
      <DateField
        label={t('person.dateOfBirth')}
        keepsText
        defaultLevel="decade"
        {...form.getInputProps('date_of_birth')}
      />
      {children}
    </SimpleGrid>
  );
}
