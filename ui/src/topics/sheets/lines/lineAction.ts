import type { DetailView } from '@/api/generated';
import type { Problem } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import type { useText } from '@/i18n/useText';
import type { Subject } from '@/shared/records/subject';
import { toast } from '@/shared/ui/toast';

/** The most common reasons why a line is voided or moved. */
export const wrongReasons: MessageId[] = [
  'reason.wrongPatient',
  'reason.wrongProduct',
  'reason.wrongQuantity',
];

/** A correction of recorded lines. */
export interface LineAction {
  kind: 'void' | 'move' | 'return' | 'waste';
  details: DetailView[];
}

/** The props of the dialogs; each dialog uses what it needs. */
export interface LineDialogProps {
  action: LineAction;
  sheet: Subject;
  /** The displayed lines; some of them may be moved together. */
  lines: DetailView[];
  onClose: () => void;
  onAction: (action: LineAction) => void;
  onSaved: (detail: DetailView) => void;
  onGone: (ids: number[]) => void;
}

/** Report that another user has just voided the line. */
export const toastIfGone =
  (t: ReturnType<typeof useText>) =>
  ({ status }: Problem) => {
    if (status === 404) toast.error(t('details.gone'));
    return status === 404;
  };
