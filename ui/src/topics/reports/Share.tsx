import { useFormat } from '@/i18n/useFormat';
import classes from './charts.module.css';

interface Props {
  part: number;
  /** The largest part shown; its bar has the full length. */
  largest: number;
}

/** Show a part of the whole as a figure and as a bar. */
export function Share({ part, largest }: Props) {
  const format = useFormat();
  return (
    <span className={classes.share}>
      <span>
        <span className={classes.bar} style={{ width: `${largest > 0 ? (100 * part) / largest : 0}%` }} />
      </span>
      <span className={classes.percent}>{format.share(part)}</span>
    </span>
  );
}
