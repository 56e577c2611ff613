import { Alert, Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useDispatch } from 'react-redux';
import { Navigate, useNavigate } from 'react-router-dom';
import {
  type OwnAccountView,
  useBeginPasskeyUnlockMutation,
  useListPasskeysQuery,
  useSignOutMutation,
  useUnlockSessionMutation,
} from '@/api/generated';
import { useLazyReadOwnAccountQuery } from '@/api/lazy';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { postponePasskey } from '@/session/secondFactor';
import { accountRead, signedOut, useSession } from '@/session/session';
import { PageLoader } from '@/shared/ui/PageLoader';
import { AddPasskey } from '../proofs/AddPasskey';
import { usePasskeyCall } from '../proofs/usePasskeyCall';
import { usePasskeysHere } from '../proofs/usePasskeysHere';
import { signWithPasskey } from '../proofs/webauthn';
import classes from './session.module.css';

/** Ask for a passkey where the role needs one: to use it, or to register the first one. */
export default function SecondFactorPage() {
  const { user } = useSession();
  if (!user || !(user.second_factor_required || user.passkey_due_on)) return <Navigate to="/" replace />;
  return <SecondFactor user={user} />;
}

function SecondFactor({ user }: { user: OwnAccountView }) {
  const t = useText();
  const format = useFormat();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const isHere = usePasskeysHere();
  const passkeys = useListPasskeysQuery({ userId: user.id });
  const [readAccount] = useLazyReadOwnAccountQuery();
  const [signOut, { isLoading }] = useSignOutMutation();
  const required = user.second_factor_required;

  async function goOn() {
    const { data } = await readAccount();
    if (data) dispatch(accountRead(data));
  }

  function later() {
    postponePasskey(user.id);
    navigate('/', { replace: true });
  }

  async function leave() {
    await signOut();
    dispatch(signedOut());
    navigate('/');
  }

  const count = passkeys.currentData?.items.length ?? 0;
  const title = t(required && count > 0 ? 'passkeys.second' : 'passkeys.register');
  if (passkeys.isLoading) return <PageLoader />;
  return (
    <Stack gap="md">
      <title>{`${title} · Consumo`}</title>
      <Title order={1}>{title}</Title>
      {!isHere && <Alert color="yellow">{t('passkeys.notHere')}</Alert>}
      {required && count > 0 ? (
        <Confirm onConfirmed={goOn} />
      ) : (
        <>
          <Text>
            {required || !user.passkey_due_on
              ? t('passkeys.needed')
              : t('passkeys.neededFrom', { day: format.day(user.passkey_due_on) })}
          </Text>
          <Text>{t('passkeys.what')}</Text>
          {isHere && <AddPasskey count={count} onAdded={goOn} />}
        </>
      )}
      {required ? (
        <Button variant="default" loading={isLoading} onClick={leave}>
          {t('session.signOut')}
        </Button>
      ) : (
        <Anchor component="button" type="button" onClick={later} className={classes.link}>
          {t('passkeys.later')}
        </Anchor>
      )}
    </Stack>
  );
}

/** Use a passkey in a session that began with the password alone. */
function Confirm({ onConfirmed }: { onConfirmed: () => void }) {
  const t = useText();
  const [begin] = useBeginPasskeyUnlockMutation();
  const [unlock] = useUnlockSessionMutation();
  const { run, pending, refusal } = usePasskeyCall();

  async function use() {
    const done = await run({
      begin: () => begin(),
      use: signWithPasskey,
      finish: (passkey) => unlock({ unlockDraft: { passkey } }),
    });
    if (done) onConfirmed();
  }

  return (
    <>
      <Text>{t('passkeys.hint')}</Text>
      {refusal && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      <Button loading={pending} onClick={use}>
        {t('passkeys.use')}
      </Button>
    </>
  );
}
