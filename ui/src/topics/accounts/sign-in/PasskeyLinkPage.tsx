import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { Navigate } from 'react-router-dom';
import {
  type PasskeyLinkOptions,
  useReadPasskeyLinkMutation,
  useRegisterPasskeyByLinkMutation,
} from '@/api/generated';
import { toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePasskeyCall } from '../proofs/usePasskeyCall';
import { createPasskey } from '../proofs/webauthn';
import { LazyPasskeyStep } from './LazyPasskeyStep';
import { LinkPageFrame } from './LinkPageFrame';
import { useTokenFromUrl } from './useTokenFromUrl';

/** The target of links for registering a passkey. */
export default function PasskeyLinkPage() {
  const t = useText();
  const token = useTokenFromUrl();
  const { token: session } = useSession();
  const [registered, setRegistered] = useState(false);
  if (registered) return session ? <Navigate to="/" replace /> : <SignIn />;
  return (
    <LinkPageFrame title={t('passkeys.register')}>
      {token ? (
        <LinkForm token={token} onRegistered={() => setRegistered(true)} />
      ) : (
        <Alert color="red">{t('passkeys.noLink')}</Alert>
      )}
    </LinkPageFrame>
  );
}

function SignIn() {
  const [left, setLeft] = useState(false);
  return left ? (
    <Navigate to="/auth/login" replace />
  ) : (
    <LazyPasskeyStep asked={null} onBack={() => setLeft(true)} />
  );
}

/** Read for whom the link is, then register a passkey. */
function LinkForm({ token, onRegistered }: { token: string; onRegistered: () => void }) {
  const t = useText();
  const [read, { data, error }] = useReadPasskeyLinkMutation();
  useEffect(() => {
    read({ passkeyLinkToken: { token } });
  }, [read, token]);
  if (data) return <NameForm token={token} link={data} onRegistered={onRegistered} />;
  if (!error) return <PageLoader />;
  const said = toProblem(error).messages.map(({ text }) => text);
  return (
    <Alert color="red" role="alert">
      {said.join(' ') || t('error.unreachable')}
    </Alert>
  );
}

interface Props {
  token: string;
  link: PasskeyLinkOptions;
  onRegistered: () => void;
}

function NameForm({ token, link, onRegistered }: Props) {
  const t = useText();
  const [read] = useReadPasskeyLinkMutation();
  const [register] = useRegisterPasskeyByLinkMutation();
  const { run, pending, refusal } = usePasskeyCall();
  const [name, setName] = useState(t('passkeys.nth', { number: 1 }));

  async function save(event: FormEvent) {
    event.preventDefault();
    const done = await run({
      // The options that were read with the page may have expired.
      begin: () => read({ passkeyLinkToken: { token } }),
      use: createPasskey,
      finish: (credential) => register({ linkedPasskeyDraft: { token, credential, name } }),
    });
    if (done) onRegistered();
  }

  return (
    <form noValidate onSubmit={save}>
      <Stack gap="md">
        {link.name && <Text fw={700}>{link.name}</Text>}
        <TextInput label={t('session.email')} type="email" value={link.email} readOnly />
        <Text>{t('passkeys.what')}</Text>
        <TextInput
          label={t('passkeys.name')}
          description={t('passkeys.nameHint')}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {refusal && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        <Button type="submit" loading={pending}>
          {t('passkeys.register')}
        </Button>
      </Stack>
    </form>
  );
}
