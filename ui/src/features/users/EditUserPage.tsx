import { Navigate, useNavigate, useParams } from 'react-router-dom';
import {
  type UserView,
  useDeleteUserMutation,
  useReadUserQuery,
  useUpdateUserMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { DeleteButton } from '@/components/forms/DeleteButton';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import { PageLoader } from '@/components/ui/PageLoader';
import { usePageTitle } from '@/components/ui/pageName';
import { useReturnPath } from '@/components/ui/useReturnPath';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { UserFields, type UserValues, useUserForm } from './UserForm';

/** Edit another user's account; users edit their own on its own page. */
export default function EditUserPage() {
  const userId = Number(useParams().id);
  const { user: me } = useSession();
  const own = userId === me?.id;
  const user = useReadUserQuery({ userId }, { skip: own });
  throwOnError(user);
  if (own) return <Navigate to="/users/account" replace />;
  return user.currentData ? (
    <EditUserForm key={user.currentData.id} user={user.currentData} />
  ) : (
    <PageLoader />
  );
}

function EditUserForm({ user }: { user: UserView }) {
  const t = useText();
  usePageTitle(user.email, true);
  const navigate = useNavigate();
  const [updateUser] = useUpdateUserMutation();
  const [deleteUser] = useDeleteUserMutation();
  const { submit, pending } = useSubmit();
  const { form, draftOf, keepsProfile } = useUserForm(user);
  const back = useReturnPath(`/users/${user.id}`);

  async function save(values: UserValues) {
    const updated = await submit(() => updateUser({ userId: user.id, userDraft: draftOf(values) }), {
      form,
      success: 'users.updated',
    });
    if (updated.ok) navigate(back, { replace: true });
  }

  return (
    <FormCard
      form={form}
      save={save}
      pending={pending}
      back={back}
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
    </FormCard>
  );
}
