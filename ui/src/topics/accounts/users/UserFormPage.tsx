import { useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router-dom';
import {
  type InvitedUser,
  type UserView,
  useDeleteUserMutation,
  useInviteUserMutation,
  useReadUserQuery,
  useUpdateUserMutation,
} from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { DeleteButton } from '@/shared/forms/DeleteButton';
import { RecordForm } from '@/shared/forms/RecordForm';
import { settled } from '@/shared/forms/useUnsavedChangesPrompt';
import { Loaded } from '@/shared/ui/Loaded';
import { usePageTitle } from '@/shared/ui/pageName';
import { useReturnPath } from '@/shared/ui/useReturnPath';
import { PasswordLinkCard } from './PasswordLinkCard';
import { UserFields, useUserForm } from './UserForm';

/** Invite a user, or edit the account in the URL; users edit their own on its own page. */
export default function UserFormPage() {
  const { id } = useParams();
  const userId = Number(id);
  const own = userId === useSession().user?.id;
  const read = useReadUserQuery({ userId }, { skip: !id || own });
  if (!id) return <InviteUserForm />;
  if (own) return <Navigate to="/users/account" replace />;
  return <Loaded read={read}>{(user) => <EditUserForm user={user} />}</Loaded>;
}

function InviteUserForm() {
  const navigate = useNavigate();
  const [inviteUser] = useInviteUserMutation();
  const { form, draftOf, keepsProfile } = useUserForm();
  // Only here: the link is sent once, and must not enter a URL or a cache.
  const [invited, setInvited] = useState<InvitedUser | null>(null);

  if (invited) {
    return (
      <PasswordLinkCard
        link={invited.activation}
        email={invited.email}
        note={invited.mailed ? 'users.link.mailed' : 'users.link.notMailed'}
        onDone={() => navigate(`/users/${invited.id}`, { replace: true, state: settled })}
      />
    );
  }
  return (
    <RecordForm
      form={form}
      run={(values) => inviteUser({ userDraft: draftOf(values) })}
      success="users.created"
      back="/users"
      onSaved={setInvited}
    >
      <UserFields form={form} keepsProfile={keepsProfile} />
    </RecordForm>
  );
}

function EditUserForm({ user }: { user: UserView }) {
  const t = useText();
  usePageTitle(user.email, true);
  const [updateUser] = useUpdateUserMutation();
  const [deleteUser] = useDeleteUserMutation();
  const { form, draftOf, keepsProfile } = useUserForm(user);
  return (
    <RecordForm
      form={form}
      run={(values) => updateUser({ userId: user.id, userDraft: draftOf(values) })}
      success="users.updated"
      back={useReturnPath(`/users/${user.id}`)}
      extra={
        <DeleteButton
          label="users.delete"
          question="users.delete.question"
          success="users.deleted"
          what={t('users.delete.what', { email: user.email })}
          run={() => deleteUser({ userId: user.id })}
          after="/users"
        />
      }
    >
      <UserFields form={form} keepsProfile={keepsProfile} user={user} />
    </RecordForm>
  );
}
