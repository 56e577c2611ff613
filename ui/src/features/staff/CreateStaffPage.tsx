import { useNavigate } from 'react-router-dom';
import { useCreateStaffMutation } from '@/api/generated';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import { StaffFields, type StaffValues, staffDraftOf, useStaffForm } from '@/components/people/StaffFields';
import { useReturnPath } from '@/components/ui/useReturnPath';

export default function CreateStaffPage() {
  const navigate = useNavigate();
  const [createStaff] = useCreateStaffMutation();
  const { submit, pending } = useSubmit();
  const form = useStaffForm(null);
  const back = useReturnPath('/staff');

  async function save(values: StaffValues) {
    const created = await submit(() => createStaff({ staffDraft: staffDraftOf(values) }), {
      form,
      success: 'staff.created',
    });
    if (created.ok) navigate(back, { replace: true });
  }

  return (
    <FormCard form={form} save={save} pending={pending} back={back}>
      <StaffFields form={form} autoFocus />
    </FormCard>
  );
}
