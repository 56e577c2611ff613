import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './worklist.module.css';

const WIDTH = 160;
const HEIGHT = 32;
const MARGIN = 6;

interface Props {
  quantity: number;
  /** The quantities of the product's last lines, this one among them. */
  latest: number[];
}

/** Plot a quantity against the product's last ones. */
export function QuantityPlot({ quantity, latest }: Props) {
  const t = useText();
  const format = useFormat();
  const own = latest.indexOf(quantity);
  const others = latest.filter((_, place) => place !== own);
  if (others.length === 0) return null;
  const highest = Math.max(quantity, ...others, 1);
  const x = (value: number) => MARGIN + (value / highest) * (WIDTH - 2 * MARGIN);
  const label = t('worklist.plot', {
    quantity: format.quantity(quantity),
    count: others.length,
    lowest: format.quantity(Math.min(...others)),
    highest: format.quantity(Math.max(...others)),
  });
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      <line x1={MARGIN} x2={WIDTH - MARGIN} y1={HEIGHT / 2} y2={HEIGHT / 2} className={classes.axis} />
      {others.map((value, place) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: equal quantities are different dots.
          key={place}
          cx={x(value)}
          // Equal quantities would cover each other.
          cy={HEIGHT / 2 + ((place % 5) - 2) * 4}
          r={2.5}
          className={classes.usual}
        />
      ))}
      <circle cx={x(quantity)} cy={HEIGHT / 2} r={5} className={classes.far} />
    </svg>
  );
}
