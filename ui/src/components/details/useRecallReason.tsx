import { Stack, Textarea } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Message } from '@/api/problem';
import { useConfirm } from '@/components/ui/Confirm';
import { StatusLine } from '@/components/ui/StatusLine';
import { useText } from '@/i18n/useText';

/** Return whether one of the questions is about a recall, so that recording needs a reason. */
export const isAboutRecall = (messages: Message[]) => messages.some(({ recallId }) => recallId);

/** Return a function that asks why a recalled lot was used; null if the user cancels. */
export function useRecallReason() {
  const confirm = useConfirm();
  const given = useRef('');
  const complain = useRef(() => {});
  return async (texts: string[]): Promise<string | null> => {
    given.current = '';
    const sure = await confirm({
      question: 'recallUse.title',
      action: 'scan.recordSo',
      danger: true,
      mayConfirm: () => {
        if (given.current) return true;
        complain.current();
        return false;
      },
      children: (
        <RecallReason
          texts={texts}
          onChange={(reason) => {
            given.current = reason;
          }}
          onComplaint={(show) => {
            complain.current = show;
          }}
        />
      ),
    });
    return sure ? given.current : null;
  };
}

interface Props {
  texts: string[];
  onChange: (reason: string) => void;
  /** Called with the function that asks for the missing reason. */
  onComplaint: (show: () => void) => void;
}

function RecallReason({ texts, onChange, onComplaint }: Props) {
  const t = useText();
  const field = useRef<HTMLTextAreaElement>(null);
  const [isMissing, setMissing] = useState(false);
  const complain = useEffectEvent(() => {
    setMissing(true);
    field.current?.focus();
  });
  const connect = useEffectEvent(onComplaint);
  useEffect(() => connect(() => complain()), []);
  return (
    <Stack gap="md">
      {[...new Set(texts)].map((text) => (
        <StatusLine key={text} tone="red">
          {text}
        </StatusLine>
      ))}
      <Textarea
        ref={field}
        label={t('recallUse.reason')}
        description={t('recallUse.hint')}
        required
        rows={2}
        maxLength={500}
        data-autofocus
        error={isMissing && t('form.required')}
        onChange={({ currentTarget: { value } }) => {
          onChange(value.trim());
          setMissing(false);
        }}
      />
    </Stack>
  );
}
