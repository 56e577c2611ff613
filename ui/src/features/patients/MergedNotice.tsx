import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs';
import { Link } from 'react-router-dom';
import { type PatientView, useReadPatientQuery, useUnmergePatientsMutation } from '@/api/generated';
import { useSubmit } from '@/components/forms/useSubmit';
import { fullName } from '@/components/people/fullName';
import { useConfirm } from '@/components/ui/Confirm';
import { toast } from '@/components/ui/toast';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';

/**
 * Return the path that shows a merged record itself.
 *
 * Its plain path redirects to the remaining record.
 */
export const mergedPageOf = (patientId: number) => `/patients/${patientId}?merged=1`;

/** Explain on the remaining record that the merged one redirected here. */
export function MergedFromNotice({ patientId }: { patientId: number }) {
  const t = useText();
  return (
    <Alert color="yellow" role="status">
      <span>{t('merge.cameHere')}</span>{' '}
      <Anchor component={Link} to={mergedPageOf(patientId)} c="inherit" underline="always" fw={600}>
        {t('merge.seeMerged')}
      </Anchor>
    </Alert>
  );
}

/**
 * Name the remaining record on a merged one.
 *
 * Administrators can undo the merge.
 */
export function MergedNotice({ patient, into }: { patient: PatientView; into: number }) {
  const t = useText();
  const confirm = useConfirm();
  const mayUndo = useCan('patients.unmerge');
  const survivor = useReadPatientQuery({ patientId: into }).currentData;
  const [unmergePatients] = useUnmergePatientsMutation();
  const { submit, pending } = useSubmit();

  async function undo() {
    const sure = await confirm({
      question: 'merge.undo.question',
      action: 'merge.undo',
      children: <Text>{t('merge.undo.what')}</Text>,
    });
    if (!sure) return;
    const undone = await submit(() => unmergePatients({ patientId: patient.id }), {
      success: 'merge.undone',
    });
    if (undone.ok && undone.data.stayed.length > 0)
      toast.error(t('merge.stayed', { sheets: undone.data.stayed.join(', ') }), { autoClose: false });
  }

  return (
    <Alert color="yellow">
      <Group justify="space-between" gap="sm">
        <Text flex="1 1 16rem">
          <span>{t('merge.wentInto')}</span>{' '}
          <Anchor component={Link} to={`/patients/${into}`} c="inherit" underline="always" fw={600}>
            {survivor ? fullName(survivor) : `#${into}`}
          </Anchor>
        </Text>
        {mayUndo && (
          <Button
            variant="default"
            loading={pending}
            leftSection={<IconArrowBackUp size={20} aria-hidden />}
            onClick={undo}
          >
            {t('merge.undo')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
