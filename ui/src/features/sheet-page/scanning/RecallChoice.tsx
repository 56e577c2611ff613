import { Button } from '@mantine/core';
import type { Question, Reasons } from '@/components/details/questions';
import { useReasons } from '@/components/details/useReasons';
import { useText } from '@/i18n/useText';
import classes from './OpenRows.module.css';

interface Props {
  /** The row's questions: what is recalled and why, and others. */
  questions: Question[];
  onSetAside: () => void;
  onRecord: (reasons: Reasons) => void;
}

/** Offer to set recalled units aside, or to record them with a reason. */
export function RecallChoice({ questions, onSetAside, onRecord }: Props) {
  const t = useText();
  const askReasons = useReasons();
  return (
    <div className={classes.line}>
      <Button className={classes.decision} onClick={onSetAside}>
        {t('scan.setAside')}
      </Button>
      <Button
        className={classes.decision}
        variant="default"
        onClick={async () => {
          const reasons = await askReasons(questions);
          if (reasons) onRecord(reasons);
        }}
      >
        {t('scan.recordSo')}
      </Button>
    </div>
  );
}
