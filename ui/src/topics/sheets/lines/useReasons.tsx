import { Button, Stack, Textarea } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Translate } from '@/i18n/messages';
import { useText } from '@/i18n/useText';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { StatusLine } from '@/shared/ui/StatusLine';
import { IMPLANT_INCOMPLETE, LOT_RECALLED, needsReason, type Question, type Reasons } from './questions';

/** Say which of lot and serial number an implant lacks. */
export const missingText = (t: Translate, { lot, serial }: { lot?: string | null; serial?: string | null }) =>
  [!lot && t('scan.lotMissing'), !serial && t('scan.serialMissing')].filter(Boolean).join(' ');

const KINDS = {
  recall: { question: 'recallUse.title', hint: 'recallUse.hint' },
  implant: { question: 'implantUse.title', hint: null },
} as const;

const NEEDED = [
  { code: LOT_RECALLED, kind: 'recall', name: 'recall_reason' },
  { code: IMPLANT_INCOMPLETE, kind: 'implant', name: 'implant_reason' },
] as const;

/**
 * Return a function that asks for the reasons that these questions need; null if the user cancels.
 *
 * Given reasons are not asked for again.
 */
export function useReasons() {
  const ask = useReason();
  return async (questions: Question[], given: Reasons = {}): Promise<Reasons | null> => {
    const reasons = { ...given };
    for (const { code, kind, name } of NEEDED) {
      if (reasons[name] || !questions.some((one) => one.code === code)) continue;
      // With the other questions, because recording answers them too.
      const shown = questions.filter((one) => one.code === code || !needsReason([one]));
      const reason = await ask(
        kind,
        shown.map(({ text }) => text),
      );
      if (!reason) return null;
      reasons[name] = reason;
    }
    return reasons;
  };
}

/** Return a function that asks for one reason; null if the user cancels. */
function useReason() {
  const confirm = useConfirm();
  const given = useRef('');
  const complain = useRef(() => {});
  return async (kind: keyof typeof KINDS, texts: string[]): Promise<string | null> => {
    given.current = '';
    const sure = await confirm({
      question: KINDS[kind].question,
      action: 'scan.recordSo',
      danger: kind === 'recall',
      mayConfirm: () => {
        if (given.current) return true;
        complain.current();
        return false;
      },
      children: (
        <Reason
          kind={kind}
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
  kind: keyof typeof KINDS;
  texts: string[];
  onChange: (reason: string) => void;
  /** Called with the function that asks for the missing reason. */
  onComplaint: (show: () => void) => void;
}

function Reason({ kind, texts, onChange, onComplaint }: Props) {
  const t = useText();
  const { hint } = KINDS[kind];
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const change = (next: string) => {
    setText(next);
    onChange(next.trim());
    setMissing(false);
  };
  const complain = useEffectEvent(() => {
    setMissing(true);
    field.current?.focus();
  });
  const connect = useEffectEvent(onComplaint);
  useEffect(() => connect(() => complain()), []);
  return (
    <Stack gap="md">
      {[...new Set(texts)].map((question) => (
        <StatusLine key={question} tone="red">
          {question}
        </StatusLine>
      ))}
      <Textarea
        ref={field}
        label={t('recallUse.reason')}
        description={hint && t(hint)}
        required
        rows={2}
        maxLength={500}
        data-autofocus
        value={text}
        error={isMissing && t('form.required')}
        onChange={({ currentTarget: { value } }) => change(value)}
      />
      {kind === 'implant' && (
        <Button variant="default" onClick={() => change(t('implantUse.notOnLabel'))}>
          {t('implantUse.notOnLabel')}
        </Button>
      )}
    </Stack>
  );
}
