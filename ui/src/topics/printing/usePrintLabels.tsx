import { Suspense, useCallback, useState } from 'react';
import { loadLaterMessages } from '@/i18n/messages';
import { useText } from '@/i18n/useText';
import { lazyPart } from '@/shared/ui/lazyPart';
import { toast } from '@/shared/ui/toast';
import type { LabelsToPrint } from './PrintLabelsDialog';

async function loadDialog() {
  const [dialog] = await Promise.all([import('./PrintLabelsDialog'), loadLaterMessages()]);
  return dialog;
}
const PrintLabelsDialog = lazyPart(loadDialog);

/**
 * Dialog to print labels without leaving the page.
 *
 * It needs the network. Render `dialog` outside any form.
 */
export function usePrintLabels() {
  const t = useText();
  const [asked, setAsked] = useState<LabelsToPrint | null>(null);
  const onClose = useCallback(() => setAsked(null), []);
  async function print(labels: LabelsToPrint) {
    try {
      await loadDialog();
    } catch {
      return toast.error(t('labels.needsNetwork'));
    }
    setAsked(labels);
  }
  return {
    print: (labels: LabelsToPrint) => void print(labels),
    dialog: asked && (
      <Suspense>
        <PrintLabelsDialog asked={asked} onClose={onClose} />
      </Suspense>
    ),
  };
}
