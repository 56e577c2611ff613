import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconFingerprintOff, IconHistory, IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import {
  type Link as PasswordLink,
  useCreatePasswordLinkMutation,
  useReadUserQuery,
  useUnlinkOidcMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { fullName } from '@/shared/records/fullName';
import { DescriptionItem } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { RecordCard } from '@/shared/ui/RecordCard';
import { usePasskeysHere } from '../proofs/usePasskeysHere';
import { roleOf } from '../roles';
import { Badges } from './Badges';
import { LostPasskey } from './LostPasskey';
import { PasskeyLinkCard } from './PasskeyLinkCard';
import { Passkeys } from './Passkeys';
import { PasswordLinkCard } from './PasswordLinkCard';
import { Sessions } from './Sessions';

/** Show one user, and create a link for choosing another password. */
export default function UserPage() {
  const t = useText();
  const userId = Number(useParams().id);
  const { user: me } = useSession();
  const mayReadAudit = useCan('audit.read');
  const [createPasswordLink] = useCreatePasswordLinkMutation();
  const [unlinkOidc] = useUnlinkOidcMutation();
  const confirm = useConfirm();
  const { submit, pending } = useSubmit();
  const [link, setLink] = useState<PasswordLink | null>(null);
  const passkeysHere = usePasskeysHere();
  const [losing, setLosing] = useState(false);
  const [passkeyLink, setPasskeyLink] = useState<PasswordLink | null>(null);
  const user = useReadUserQuery({ userId });
  throwOnError(user);
  if (!user.currentData) return <PageLoader />;
  const { email, role, profile, oidc_linked: linked, has_password: hasPassword } = user.currentData;
  const own = userId === me?.id;

  async function unlink() {
    const sure = await confirm({
      question: 'users.unlink.question',
      action: 'users.unlink',
      danger: true,
      children: <Text>{t(hasPassword ? 'users.unlink.what' : 'users.unlink.only', { email })}</Text>,
    });
    if (sure) await submit(() => unlinkOidc({ userId }), { success: 'users.updated' });
  }

  async function createLink() {
    const made = await submit(() => createPasswordLink({ userId }));
    if (made.ok) setLink(made.data);
  }

  return (
    <Stack gap="md">
      {link && (
        <PasswordLinkCard link={link} email={email} note="users.link.older" onDone={() => setLink(null)} />
      )}
      {passkeyLink && (
        <PasskeyLinkCard link={passkeyLink} email={email} onDone={() => setPasskeyLink(null)} />
      )}
      <RecordCard
        name={email}
        edit={own ? '/users/account' : `/users/${userId}/edit`}
        actions={
          <>
            {mayReadAudit && (
              <Button
                component={Link}
                to={`/audit?about=user&id=${userId}`}
                variant="default"
                leftSection={<IconHistory size={20} aria-hidden />}
              >
                {t('audit.ofThis')}
              </Button>
            )}
            {!own && !passkeyLink && passkeysHere && (
              <Button
                variant="default"
                leftSection={<IconFingerprintOff size={20} aria-hidden />}
                onClick={() => setLosing(true)}
              >
                {t('passkeys.lost')}
              </Button>
            )}
            {!own && !link && (
              <Button
                variant="default"
                leftSection={<IconKey size={20} aria-hidden />}
                loading={pending}
                onClick={createLink}
              >
                {t('users.link.handOut')}
              </Button>
            )}
            {!own && linked && (
              <Button variant="default" loading={pending} onClick={unlink}>
                {t('users.unlink')}
              </Button>
            )}
          </>
        }
      >
        <DescriptionItem name={t('users.role')}>{t(roleOf(role).name)}</DescriptionItem>
        <DescriptionItem name={t('users.profile')}>
          {profile ? (
            <Anchor component={Link} to={`/staff/${profile.id}`}>
              {fullName(profile)}
            </Anchor>
          ) : (
            t('users.noProfile')
          )}
        </DescriptionItem>
        {linked && (
          <DescriptionItem name={t('users.hospitalAccount')}>
            {t(hasPassword ? 'users.linked' : 'users.linkedOnly')}
          </DescriptionItem>
        )}
      </RecordCard>
      {!own && <Badges userId={userId} />}
      {losing && (
        <LostPasskey
          userId={userId}
          onClose={() => setLosing(false)}
          onLink={(made) => {
            setLosing(false);
            setPasskeyLink(made);
          }}
        />
      )}
      {!own && <Passkeys userId={userId} />}
      {!own && <Sessions userId={userId} />}
    </Stack>
  );
}
