import { Text } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { IconPackage } from '@tabler/icons-react';
import { useMemo, useReducer, useState } from 'react';
import type { DetailView, ProductView } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { EmptyState } from '@/shared/ui/EmptyState';
import { PageLoader } from '@/shared/ui/PageLoader';
import { type Practice, PracticeContext } from '../common/practiceContext';
import { PracticeSheet } from './PracticeSheet';
import {
  blank,
  type Happened,
  type PracticeEvent,
  type PracticeState,
  reducePractice,
} from './practiceState';
import type { Task } from './practiceTasks';
import { usePracticeTasks } from './usePracticeTasks';

/**
 * Practise recording on a sheet that counts nowhere.
 *
 * The record bar and the list are the real ones, but nothing is sent to the server, and nothing is kept on the device.
 */
export default function PracticePage() {
  const t = useText();
  const { products, tasks, isLoading, listed } = usePracticeTasks();
  /** Each round begins with an empty sheet. */
  const [round, setRound] = useState(1);
  throwOnError(listed);
  if (isLoading || !products) return <PageLoader />;
  if (tasks.length === 0)
    return (
      <EmptyState
        icon={<IconPackage size={40} aria-hidden />}
        title={t('practice.noProducts')}
        hint={t('practice.noProductsHint')}
      />
    );
  return <Round key={round} products={products} tasks={tasks} onAgain={() => setRound((one) => one + 1)} />;
}

interface Props {
  products: ProductView[];
  tasks: Task[];
  onAgain: () => void;
}

function Round({ products, tasks, onAgain }: Props) {
  const t = useText();
  const format = useFormat();
  const confirm = useConfirm();
  const [state, dispatch] = useReducer(
    (before: PracticeState, event: PracticeEvent) => reducePractice(before, event, tasks),
    blank,
  );
  const tell = useCallbackRef((event: Happened) => dispatch({ ...event, at: Date.now() }));
  const remove = useCallbackRef(async ({ id, quantity, product }: DetailView) => {
    const sure = await confirm({
      question: 'details.delete.question',
      action: 'details.delete',
      danger: true,
      children: <Text>{format.counted(quantity, product.name)}</Text>,
    });
    if (!sure) return;
    tell({ type: 'removed', id });
    document.getElementById('details-title')?.focus(); // the button that had the focus is gone
  });
  const practice = useMemo<Practice>(
    () => ({
      correct: ({ id }, quantity) => tell({ type: 'corrected', id, quantity }),
      remove,
      note: () => tell({ type: 'noted' }),
    }),
    [tell, remove],
  );
  return (
    <PracticeContext value={practice}>
      <PracticeSheet
        name={t('practice.patient')}
        products={products}
        tasks={tasks}
        state={state}
        tell={tell}
        onAgain={onAgain}
      />
    </PracticeContext>
  );
}
