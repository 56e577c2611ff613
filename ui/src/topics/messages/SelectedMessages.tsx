import { Button } from '@mantine/core';
import { useState } from 'react';
import {
  type DecidedMessagesView,
  useDismissInboundMessagesMutation,
  useRetryInboundMessagesMutation,
} from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { SelectionBar } from '@/shared/lists/SelectionBar';
import { toast } from '@/shared/ui/toast';
import { DismissDialog } from './MessageDialogs';

interface Props {
  ids: number[];
  onClear: () => void;
}

/** Retry or dismiss the selected messages. */
export function SelectedMessages({ ids, onClear }: Props) {
  const t = useText();
  const [retry] = useRetryInboundMessagesMutation();
  const [dismiss] = useDismissInboundMessagesMutation();
  const { submit, pending } = useSubmit();
  const [dismisses, setDismisses] = useState(false);
  const count = ids.length;

  function report(done: MessageId, { done: changed, held, decided }: DecidedMessagesView) {
    const parts: [MessageId, number][] = [
      [done, changed],
      ['messages.stillHeld', held],
      ['messages.alreadyDecided', decided],
    ];
    const words = parts.filter(([, number]) => number > 0).map(([id, number]) => t(id, { count: number }));
    toast.success(words.join(' · '));
  }

  async function retryAll() {
    const sent = await submit(() => retry({ retryMessagesDraft: { ids } }));
    if (!sent.ok) return;
    report('messages.noLongerHeld', sent.data);
    onClear();
  }

  return (
    <>
      <SelectionBar
        label={t('messages.marked')}
        count={t('messages.markedCount', { count })}
        clear={t('messages.unmark')}
        onClear={onClear}
      >
        <Button variant="default" loading={pending} onClick={retryAll}>
          {t('messages.retryMany', { count })}
        </Button>
        <Button variant="default" disabled={pending} onClick={() => setDismisses(true)}>
          {t('messages.dismissMany', { count })}
        </Button>
      </SelectionBar>
      {dismisses && (
        <DismissDialog
          title={t('messages.dismissMany.question', { count })}
          send={(reason) => dismiss({ dismissMessageDraft: { ids, reason } })}
          onDone={(decided) => {
            report('messages.wereDismissed', decided);
            onClear();
          }}
          onClose={() => setDismisses(false)}
        />
      )}
    </>
  );
}
