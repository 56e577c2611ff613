import { lazy, Suspense } from 'react';
import type { LineDialogProps } from './lineAction';

const dialogs = {
  void: lazy(() => import('./VoidDialog')),
  move: lazy(() => import('./MoveDialog')),
  return: lazy(() => import('./ReturnDialog')),
};

interface Props extends Omit<LineDialogProps, 'action'> {
  /** The pending action; null hides the dialog. */
  action: LineDialogProps['action'] | null;
}

/** Open the dialog of a void, move or return action. */
export function LineDialog({ action, ...rest }: Props) {
  if (!action) return null;
  const Dialog = dialogs[action.kind];
  return (
    <Suspense>
      <Dialog key={`${action.kind} ${action.details.map(({ id }) => id)}`} action={action} {...rest} />
    </Suspense>
  );
}
