import { useNavigate } from 'react-router-dom';
import { type CloseMonthApiArg, useCloseMonthMutation } from '@/api/generated';
import { useLazyReportConsumptionQuery } from '@/api/lazy';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { lastOf } from '../comparison';
import { FrozenSums } from './FrozenSums';

/** Return how to close a month: show the sums that are frozen, ask once, and open the closed month. */
export function useCloseMonth() {
  const navigate = useNavigate();
  const confirm = useConfirm();
  const [readSums] = useLazyReportConsumptionQuery();
  const [closeMonth] = useCloseMonthMutation();
  const { submit, pending } = useSubmit();

  async function close(draft: CloseMonthApiArg['monthDraft'], area: string | null | undefined) {
    const { month, area_id } = draft;
    const report = await submit(() =>
      readSums({
        ...{ by: 'area', from: `${month}-01`, to: lastOf(month), areaId: area_id },
        ...{ usedFor: 'all', limit: 1 },
      }),
    );
    if (!report.ok) return;
    const sure = await confirm({
      question: draft.turn > 1 ? 'months.closeAgain.question' : 'months.close.question',
      action: draft.turn > 1 ? 'months.closeAgain' : 'months.close',
      children: <FrozenSums month={month} turn={draft.turn} area={area} sums={report.data.sums} />,
    });
    if (!sure) return;
    // If another user closed it meanwhile, the message says who, and the mutation also reads the list again.
    const closed = await submit(() => closeMonth({ monthDraft: draft }), {
      success: 'months.closed',
    });
    if (closed.ok) navigate(`/reports/months/${closed.data.id}`);
  }

  return { close, pending };
}
