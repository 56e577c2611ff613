import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type PatientView, useReadPatientQuery, useUnmergePatientsMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { fullName } from '@/shared/records/fullName';
import { toast } from '@/shared/ui/toast';

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
 * Return a function that undoes a merge; undefined if the user may not.
 *
 * Users may undo their own merges, administrators any.
 */
function useUnmerge(patient: PatientView | undefined) {
  const t = useText();
  const confirm = useConfirm();
  const { user } = useSession();
  const mayUndoOwn = useCan('patients.unmerge');
  const mayUndoAny = useCan('patients.unmerge_any');
  const [unmergePatients] = useUnmergePatientsMutation();
  const { submit, pending } = useSubmit();

  async function undo(patientId: number) {
    const sure = await confirm({
      question: 'merge.undo.question',
      action: 'merge.undo',
      children: <Text>{t('merge.undo.what')}</Text>,
    });
    if (!sure) return;
    const undone = await submit(() => unmergePatients({ patientId }), { success: 'merge.undone' });
    if (undone.ok && undone.data.stayed.length > 0)
      toast.error(t('merge.stayed', { sheets: undone.data.stayed.join(', ') }), { autoClose: false });
  }

  const isMerged = patient !== undefined && patient.merged_into !== null;
  const mayUndo = isMerged && (mayUndoAny || (mayUndoOwn && patient.merged_by === user?.id));
  return { undo: mayUndo ? () => undo(patient.id) : undefined, pending };
}

interface NoticeProps {
  /** The merged record, once it is loaded. */
  patient: PatientView | undefined;
  children: ReactNode;
}

/** A notice about a merge, with the button that undoes it. */
function MergeNotice({ patient, children }: NoticeProps) {
  const t = useText();
  const { undo, pending } = useUnmerge(patient);
  return (
    <Alert color="yellow" role="status">
      <Group justify="space-between" gap="sm">
        <Text flex="1 1 16rem">{children}</Text>
        {undo && (
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

/** Name the remaining record on a merged one. */
export function MergedNotice({ patient, into }: { patient: PatientView; into: number }) {
  const t = useText();
  const survivor = useReadPatientQuery({ patientId: into }).currentData;
  return (
    <MergeNotice patient={patient}>
      <span>{t('merge.wentInto')}</span>{' '}
      <Anchor component={Link} to={`/patients/${into}`} c="inherit" underline="always" fw={600}>
        {survivor ? fullName(survivor) : `#${into}`}
      </Anchor>
    </MergeNotice>
  );
}

/** Name the record that was just merged into this one. */
export function MergedNowNotice({ patientId }: { patientId: number }) {
  const t = useText();
  const merged = useReadPatientQuery({ patientId }).currentData;
  if (!merged || merged.merged_into === null) return null;
  return <MergeNotice patient={merged}>{t('merge.mergedHere', { name: fullName(merged) })}</MergeNotice>;
}
