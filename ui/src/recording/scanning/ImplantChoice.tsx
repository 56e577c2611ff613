import { Button } from '@mantine/core';
import { useText } from '@/i18n/useText';
import type { Question, Reasons } from '@/topics/sheets/lines/questions';
import classes from './OpenRows.module.css';
import { OtherReasonButton } from './OtherReasonButton';

interface Props {
  /** The row's questions: what the implant lacks, and others. */
  questions: Question[];
  onRecord: (reasons: Reasons) => void;
}

/** Offer to record an implant without its lot or serial number: with the usual reason, or with another one. */
export function ImplantChoice({ questions, onRecord }: Props) {
  const t = useText();
  return (
    <div className={classes.line}>
      <Button
        className={classes.decision}
        variant="default"
        data-part="reason"
        onClick={() => onRecord({ implant_reason: t('implantUse.notOnLabel') })}
      >
        {t('implantUse.notOnLabel')}
      </Button>
      <OtherReasonButton questions={questions} onRecord={onRecord}>
        {t('implantUse.other')}
      </OtherReasonButton>
    </div>
  );
}
