import { Anchor, Stack } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { useReadStaffQuery, useReadUserQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { fullName } from '@/shared/records/fullName';
import { LatestDetails } from '@/shared/records/LatestDetails';
import { DescriptionItem } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { RecordCard } from '@/shared/ui/RecordCard';

/** Show one staff member. */
export default function StaffPage() {
  const staffId = Number(useParams().id);
  const t = useText();
  const format = useFormat();
  const mayManage = useCan('staff.manage');
  const read = useReadStaffQuery({ staffId });
  throwOnError(read);
  const staff = read.currentData;
  if (!staff) return <PageLoader />;
  return (
    <Stack gap="md">
      <RecordCard name={fullName(staff)} edit={mayManage ? `/staff/${staffId}/edit` : undefined}>
        <DescriptionItem name={t('person.jobTitle')}>{staff.job_title}</DescriptionItem>
        <DescriptionItem name={t('person.telephone')}>
          {staff.telephone_number && (
            <Anchor href={`tel:${staff.telephone_number.replace(/[^\d+*#]/g, '')}`}>
              {staff.telephone_number}
            </Anchor>
          )}
        </DescriptionItem>
        <DescriptionItem name={t('person.dateOfBirth')}>
          {staff.date_of_birth && format.day(staff.date_of_birth)}
        </DescriptionItem>
        <DescriptionItem name={t('staff.account')}>
          {staff.user_id === null ? t('staff.noAccount') : <Account userId={staff.user_id} />}
        </DescriptionItem>
      </RecordCard>
      <LatestDetails title="staff.lines" none="staff.noLines" of={{ staffId }} />
    </Stack>
  );
}

/**
 * Show the account, with a link if the user manages it.
 *
 * Not every user who manages accounts manages administrators.
 */
function Account({ userId }: { userId: number }) {
  const t = useText();
  const managesUsers = useCan('users.manage');
  const { currentData: user } = useReadUserQuery({ userId }, { skip: !managesUsers });
  if (!user) return <span>{t('staff.hasAccount')}</span>;
  return (
    <Anchor component={Link} to={`/users/${userId}`}>
      {user.email}
    </Anchor>
  );
}
