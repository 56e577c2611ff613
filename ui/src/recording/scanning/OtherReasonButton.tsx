import { Button } from '@mantine/core';
import type { Question, Reasons } from '@/topics/sheets/lines/questions';
import { useReasons } from '@/topics/sheets/lines/useReasons';
import classes from './OpenRows.module.css';

interface Props {
  questions: Question[];
  onRecord: (reasons: Reasons) => void;
  children: string;
}

/** A button that asks for the reasons of a row, and records the row with them. */
export function OtherReasonButton({ questions, onRecord, children }: Props) {
  const askReasons = useReasons();
  return (
    <Button
      className={classes.decision}
      variant="default"
      onClick={async () => {
        const reasons = await askReasons(questions);
        if (reasons) onRecord(reasons);
      }}
    >
      {children}
    </Button>
  );
}
