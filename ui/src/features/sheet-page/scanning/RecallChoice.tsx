import { Button } from '@mantine/core';
import { useRecallReason } from '@/components/details/useRecallReason';
import { useText } from '@/i18n/useText';
import classes from './OpenRows.module.css';

interface Props {
  /** What is recalled and why, as shown on the row. */
  texts: string[];
  onSetAside: () => void;
  onRecord: (reason: string) => void;
}

/** Offer to set recalled units aside, or to record them with a reason. */
export function RecallChoice({ texts, onSetAside, onRecord }: Props) {
  const t = useText();
  const askReason = useRecallReason();
  return (
    <div className={classes.line}>
      <Button className={classes.decision} onClick={onSetAside}>
        {t('scan.setAside')}
      </Button>
      <Button
        className={classes.decision}
        variant="default"
        onClick={async () => {
          const reason = await askReason(texts);
          if (reason) onRecord(reason);
        }}
      >
        {t('scan.recordSo')}
      </Button>
    </div>
  );
}
