import { Stack, Text } from '@mantine/core';
import { etag } from '@/api/etag';
import { type DetailView, useDeleteDetailMutation } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { nameAndCode } from '@/shared/records/nameAndCode';
import type { Subject } from '@/shared/records/subject';
import { SheetBand } from '../SheetBand';
import { type LineAction, toastIfGone } from './lineAction';

/** How long users can void their own line without a reason, in ms. */
const WITHOUT_REASON = 600_000;

interface Options {
  /** The sheet of the lines. */
  sheet: Subject;
  /** Called if a reason is required, with the action that opens its dialog. */
  onAsk: (action: LineAction) => void;
  onGone: (ids: number[]) => void;
}

/**
 * Void lines.
 *
 * A user's own recent line needs a confirmation, any other a reason.
 */
export function useDeleteDetail({ sheet, onAsk, onGone }: Options) {
  const t = useText();
  const format = useFormat();
  const confirm = useConfirm();
  const { user } = useSession();
  const mayDeleteAny = useCan('details.delete_any');
  const mayDeleteOwn = useCan('details.delete_own');
  const [deleteDetail] = useDeleteDetailMutation();
  const { submit, pending } = useSubmit();

  const mayDelete = ({ user_id }: DetailView) => mayDeleteAny || (mayDeleteOwn && user_id === user?.id);

  async function remove(detail: DetailView) {
    const isOwnSlip =
      detail.user_id === user?.id && Date.now() - Date.parse(detail.created_at) < WITHOUT_REASON;
    if (!isOwnSlip) return onAsk({ kind: 'void', details: [detail] });
    const sure = await confirm({
      question: 'details.delete.question',
      action: 'details.delete',
      danger: true,
      children: (
        <Stack gap="md">
          <SheetBand sheet={sheet} />
          <Text>{format.counted(detail.quantity, nameAndCode(detail.product))}</Text>
        </Stack>
      ),
    });
    if (!sure) return;
    const done = await submit(() => deleteDetail({ detailId: detail.id, 'If-Match': etag(detail) }), {
      success: 'details.deleted',
      onProblem: toastIfGone(t),
    });
    if (done.ok) onGone([detail.id]);
  }

  return { mayDelete, remove, pending };
}
