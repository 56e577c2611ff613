import { Button } from '@mantine/core';
import { useText } from '@/i18n/useText';
import type { Question, Reasons } from '@/topics/sheets/lines/questions';
import classes from './OpenRows.module.css';
import { OtherReasonButton } from './OtherReasonButton';

interface Props {
  /** The row's questions: what is recalled and why, and others. */
  questions: Question[];
  onSetAside: () => void;
  onRecord: (reasons: Reasons) => void;
}

/** Offer to set recalled units aside, or to record them with a reason. */
export function RecallChoice({ questions, onSetAside, onRecord }: Props) {
  const t = useText();
  return (
    <div className={classes.line}>
      <Button className={classes.decision} onClick={onSetAside}>
        {t('scan.setAside')}
      </Button>
      <OtherReasonButton questions={questions} onRecord={onRecord}>
        {t('scan.recordSo')}
      </OtherReasonButton>
    </div>
  );
}
