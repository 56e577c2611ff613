import { Alert, Stack, Text } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { useText } from '@/i18n/useText';
import type { ParkedPerson } from '@/session/parkedPeople';
import { saveLastPath } from '@/session/savedWork';
import { HospitalSignIn } from './HospitalSignIn';
import { PasswordForm } from './PasswordForm';

/** Unlock with the password, or with the hospital's account if the person has no password. */
export function FullSignIn(props: ComponentProps<typeof PasswordForm>) {
  const { person, note = null } = props;
  if (person.unlockBy.includes('password')) return <PasswordForm {...props} />;
  return <HospitalForm person={person} note={note} />;
}

function HospitalForm({ person, note }: { person: ParkedPerson; note: string | null }) {
  const t = useText();
  const hospital = useReadSettingsQuery().data?.oidc;
  const [refusal, setRefusal] = useState(note);
  return (
    <Stack gap="md">
      <Text>{t('lockScreen.hospitalHint', { email: person.email })}</Text>
      {refusal && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      {hospital && (
        <HospitalSignIn
          label="lockScreen.hospital"
          name={hospital.name}
          onLeave={() => saveLastPath(person.userId, window.location.pathname + window.location.search)}
          onFailure={setRefusal}
        />
      )}
    </Stack>
  );
}
