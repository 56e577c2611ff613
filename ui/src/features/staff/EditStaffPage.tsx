import { useNavigate, useParams } from 'react-router-dom';
import {
  type StaffView,
  useDeleteStaffMutation,
  useReadStaffQuery,
  useUpdateStaffMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { DeleteButton } from '@/components/forms/DeleteButton';
import { FormCard } from '@/components/forms/FormCard';
import { useSubmit } from '@/components/forms/useSubmit';
import { fullName } from '@/components/people/fullName';
import { StaffFields, type StaffValues, staffDraftOf, useStaffForm } from '@/components/people/StaffFields';
import { PageLoader } from '@/components/ui/PageLoader';
import { usePageTitle } from '@/components/ui/pageName';

export default function EditStaffPage() {
  const { id } = useParams();
  const staff = useReadStaffQuery({ staffId: Number(id) });
  throwOnError(staff);
  return staff.currentData ? (
    <EditStaffForm key={staff.currentData.id} staff={staff.currentData} />
  ) : (
    <PageLoader />
  );
}

function EditStaffForm({ staff }: { staff: StaffView }) {
  usePageTitle(fullName(staff), true);
  const navigate = useNavigate();
  const [updateStaff] = useUpdateStaffMutation();
  const [deleteStaff] = useDeleteStaffMutation();
  const { submit, pending } = useSubmit();
  const form = useStaffForm(staff);
  const here = `/staff/${staff.id}`;

  async function save(values: StaffValues) {
    const updated = await submit(() => updateStaff({ staffId: staff.id, staffDraft: staffDraftOf(values) }), {
      form,
      success: 'staff.updated',
    });
    if (updated.ok) navigate(here, { replace: true });
  }

  return (
    <FormCard
      form={form}
      save={save}
      pending={pending}
      back={here}
      extra={
        <DeleteButton
          label="staff.delete"
          question="staff.delete.question"
          success="staff.deleted"
          what={fullName(staff)}
          run={() => deleteStaff({ staffId: staff.id })}
          after="/staff"
        />
      }
    >
      <StaffFields form={form} autoFocus />
    </FormCard>
  );
}
