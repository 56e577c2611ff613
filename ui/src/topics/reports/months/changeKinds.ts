import type { MonthChangeView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

type Kind = MonthChangeView['kind'];

/** What was done to a line of an earlier month: for its row, and counted in a sentence. */
export const changeKinds: Record<Kind, { name: MessageId; counted: MessageId }> = {
  recorded: { name: 'months.kind.recorded', counted: 'months.count.recorded' },
  edited: { name: 'months.kind.edited', counted: 'months.count.edited' },
  voided: { name: 'months.kind.voided', counted: 'months.count.voided' },
  returned: { name: 'months.kind.returned', counted: 'months.count.returned' },
  corrected: { name: 'months.kind.corrected', counted: 'months.count.corrected' },
  moved: { name: 'months.kind.moved', counted: 'months.count.moved' },
  wasted: { name: 'months.kind.wasted', counted: 'months.count.wasted' },
  imported: { name: 'months.kind.imported', counted: 'months.count.imported' },
  deleted: { name: 'months.kind.deleted', counted: 'months.count.deleted' },
};

/** Return how often each kind occurs. A line that got another product has two rows and counts once. */
export function countKinds(changes: MonthChangeView[]): [Kind, number][] {
  const acts = new Map<Kind, Set<string>>();
  for (const { kind, at, detail_id } of changes)
    acts.set(kind, (acts.get(kind) ?? new Set()).add(`${at} ${detail_id}`));
  return (Object.keys(changeKinds) as Kind[]).flatMap((kind) => {
    const count = acts.get(kind)?.size;
    return count ? [[kind, count]] : [];
  });
}
