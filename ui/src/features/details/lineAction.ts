import type { DetailView, SheetView } from '@/api/generated';
import type { Problem } from '@/api/problem';
import { toast } from '@/components/toast';
import type { useText } from '@/i18n/useText';

/** A correction of lines that are recorded. */
export interface LineAction {
  kind: 'void' | 'move' | 'return';
  details: DetailView[];
}

/** The props of its dialogs, of which each takes what it needs. */
export interface LineDialogProps {
  action: LineAction;
  sheet: SheetView;
  /** The lines that are shown, of which some may be moved together. */
  lines: DetailView[];
  onClose: () => void;
  onAction: (action: LineAction) => void;
  onSaved: (detail: DetailView) => void;
  onGone: (ids: number[]) => void;
}

/** Say that the line was taken back by another person a moment before. */
export const toastIfGone =
  (t: ReturnType<typeof useText>) =>
  ({ status }: Problem) => {
    if (status === 404) toast.error(t('details.gone'));
    return status === 404;
  };
