import { Suspense } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import type { LineDialogProps } from './lineAction';

/** Load the dialog that voids a line. A page may call it in advance. */
export const loadVoidDialog = () => import('./VoidDialog');
const dialogs = {
  void: lazyPart(loadVoidDialog),
  move: lazyPart(() => import('./MoveDialog')),
  return: lazyPart(() => import('./ReturnDialog')),
  waste: lazyPart(() => import('./WasteDialog')),
};

interface Props extends Omit<LineDialogProps, 'action'> {
  /** The pending action; null hides the dialog. */
  action: LineDialogProps['action'] | null;
}

/** Open the dialog of a void, move, return or waste action. */
export function LineDialog({ action, ...rest }: Props) {
  if (!action) return null;
  const Dialog = dialogs[action.kind];
  return (
    <Suspense>
      <Dialog key={`${action.kind} ${action.details.map(({ id }) => id)}`} action={action} {...rest} />
    </Suspense>
  );
}
