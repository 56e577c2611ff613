import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type InvitedUser, useInviteUserMutation } from '@/api/generated';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import { settled } from '@/components/forms/useUnsavedChangesPrompt';
import { PasswordLinkCard } from './PasswordLinkCard';
import { UserFields, type UserValues, useUserForm } from './UserForm';

export default function CreateUserPage() {
  const navigate = useNavigate();
  const [inviteUser] = useInviteUserMutation();
  const { submit, pending } = useSubmit();
  const { form, draftOf, keepsProfile } = useUserForm();
  // Only here: the link is sent once, and must not enter a URL or a cache.
  const [invited, setInvited] = useState<InvitedUser | null>(null);

  async function save(values: UserValues) {
    const created = await submit(() => inviteUser({ userDraft: draftOf(values) }), {
      form,
      success: 'users.created',
    });
    if (created.ok) setInvited(created.data);
  }

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
    <FormCard form={form} save={save} pending={pending} back="/users">
      <UserFields form={form} keepsProfile={keepsProfile} />
    </FormCard>
  );
}
