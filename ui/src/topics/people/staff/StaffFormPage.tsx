import { useParams } from 'react-router-dom';
import {
  type StaffView,
  useCreateStaffMutation,
  useDeleteStaffMutation,
  useReadStaffQuery,
  useUpdateStaffMutation,
} from '@/api/generated';
import { DeleteButton } from '@/shared/forms/DeleteButton';
import { RecordForm } from '@/shared/forms/RecordForm';
import { fullName } from '@/shared/records/fullName';
import { Loaded } from '@/shared/ui/Loaded';
import { usePageTitle } from '@/shared/ui/pageName';
import { useReturnPath } from '@/shared/ui/useReturnPath';
import { StaffFields, staffDraftOf, useStaffForm } from '../StaffFields';

/** Create a staff member, or edit the one in the URL. */
export default function StaffFormPage() {
  const { id } = useParams();
  const read = useReadStaffQuery({ staffId: Number(id) }, { skip: !id });
  return id ? <Loaded read={read}>{(staff) => <StaffForm staff={staff} />}</Loaded> : <StaffForm />;
}

function StaffForm({ staff }: { staff?: StaffView }) {
  usePageTitle(staff && fullName(staff), true);
  const [createStaff] = useCreateStaffMutation();
  const [updateStaff] = useUpdateStaffMutation();
  const [deleteStaff] = useDeleteStaffMutation();
  const form = useStaffForm(staff ?? null);
  const origin = useReturnPath('/staff');
  return (
    <RecordForm
      form={form}
      run={(values) => {
        const staffDraft = staffDraftOf(values);
        return staff ? updateStaff({ staffId: staff.id, staffDraft }) : createStaff({ staffDraft });
      }}
      success={staff ? 'staff.updated' : 'staff.created'}
      back={staff ? `/staff/${staff.id}` : origin}
      extra={
        staff && (
          <DeleteButton
            label="staff.delete"
            question="staff.delete.question"
            success="staff.deleted"
            what={fullName(staff)}
            run={() => deleteStaff({ staffId: staff.id })}
            after="/staff"
          />
        )
      }
    >
      <StaffFields form={form} autoFocus />
    </RecordForm>
  );
}
