import { lazy, Suspense } from 'react';
import type { LineDialogProps } from './lineAction';

const dialogs = {
  void: lazy(() => import('./VoidDialog')),
  move: lazy(() => import('./MoveDialog')),
  return: lazy(() => import('./ReturnDialog')),
};

interface Props extends Omit<LineDialogProps, 'action'> {
  /** What is asked about; nothing is shown without. */
  action: LineDialogProps['action'] | null;
}

/** What is asked before a line is corrected. */
export function LineDialog({ action, ...rest }: Props) {
  if (!action) return null;
  const Dialog = dialogs[action.kind];
  return (
    <Suspense>
      <Dialog key={`${action.kind} ${action.details.map(({ id }) => id)}`} action={action} {...rest} />
    </Suspense>
  );
}
