import { Suspense, useCallback, useState } from 'react';
import { loadLaterMessages } from '@/i18n/messages';
import { useText } from '@/i18n/useText';
import { lazyPart } from '@/shared/ui/lazyPart';
import { toast } from '@/shared/ui/toast';
import type { FormsToPrint } from './PrintFormsDialog';

async function loadDialog() {
  const [dialog] = await Promise.all([import('./PrintFormsDialog'), loadLaterMessages()]);
  return dialog;
}
const PrintFormsDialog = lazyPart(loadDialog);

/**
 * Dialog to print contingency forms without leaving the page.
 *
 * It needs the network. Render `dialog` outside any form.
 */
export function usePrintForms() {
  const t = useText();
  const [asked, setAsked] = useState<FormsToPrint | null>(null);
  const onClose = useCallback(() => setAsked(null), []);
  async function print(forms: FormsToPrint) {
    try {
      await loadDialog();
    } catch {
      return toast.error(t('labels.needsNetwork'));
    }
    setAsked(forms);
  }
  return {
    print: (forms: FormsToPrint) => void print(forms),
    dialog: asked && (
      <Suspense>
        <PrintFormsDialog asked={asked} onClose={onClose} />
      </Suspense>
    ),
  };
}
