import { memo, type ReactNode, useMemo } from 'react';
import type { DetailView, PersonView, ProductView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { fullName } from '@/shared/records/fullName';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { ClampedText } from '@/shared/ui/ClampedText';
import classes from './SidePanel.module.css';
import { UsualProducts } from './UsualProducts';
import type { Pins } from './usePins';

/** How many staff members are named, the latest first. */
const PEOPLE = 6;

interface Props {
  /** Newest first. */
  details: DetailView[];
  usual: ProductView[] | undefined;
  /** Undefined if nothing can be recorded any more. */
  onChoose?: (product: ProductView) => void;
  pins: Pins;
}

/**
 * Show today's totals, likely products and recent staff.
 *
 * Wide screens show it beside the lines.
 */
export default memo(function SidePanel({ details, usual, onChoose, pins }: Props) {
  const t = useText();
  const format = useFormat();
  const today = format.dayOf(new Date());
  const categories = useMemo(() => {
    const ofToday = details.filter((line) => format.dayOf(timeOfUse(line)) === today);
    const sums = new Map<number, { name: string; lines: number; cents: number }>();
    for (const { product, total = 0 } of ofToday) {
      const { id, name } = product.category;
      const sum = sums.get(id) ?? { name, lines: 0, cents: 0 };
      sums.set(id, { name, lines: sum.lines + 1, cents: sum.cents + Math.round(total * 100) });
    }
    return [...sums].sort(([, one], [, other]) => other.cents - one.cents || other.lines - one.lines);
  }, [details, format, today]);
  // Totals are missing for ward staff, and for all users without network.
  const isPriced = details.every(({ total }) => total !== undefined);
  const people = useMemo(() => {
    const latest = new Map<number, { staff: PersonView; at: string }>();
    for (const line of details)
      if (line.staff && !latest.has(line.staff.id))
        latest.set(line.staff.id, { staff: line.staff, at: timeOfUse(line) });
    return [...latest.values()].slice(0, PEOPLE);
  }, [details]);
  const when = (at: string) =>
    format.dayOf(at) === today ? format.time(at) : format.shortDay(format.dayOf(at));

  return (
    <section className={classes.panel} aria-label={t('details.panel')}>
      <Part title={t('details.panel.today')}>
        {categories.length === 0 && <p className={classes.none}>{t('details.panel.nothingToday')}</p>}
        <dl className={classes.facts}>
          {categories.map(([id, { name, lines, cents }]) => (
            <div key={id}>
              <dt>
                <ClampedText>{name}</ClampedText>
              </dt>
              <dd>{isPriced ? format.money(cents / 100) : t('sheets.recorded', { count: lines })}</dd>
            </div>
          ))}
        </dl>
      </Part>
      {onChoose && (
        <Part title={t('details.usual')}>
          <UsualProducts products={usual} onChoose={onChoose} pins={pins} />
        </Part>
      )}
      {people.length > 0 && (
        <Part title={t('details.panel.people')}>
          <dl className={classes.facts}>
            {people.map(({ staff, at }) => (
              <div key={staff.id}>
                <dt>
                  <ClampedText>{fullName(staff)}</ClampedText>
                </dt>
                <dd>
                  <span>{when(at)}</span>
                </dd>
              </div>
            ))}
          </dl>
        </Part>
      )}
    </section>
  );
});

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className={classes.title}>{title}</h3>
    <div className={classes.part}>{children}</div>
  </section>
);
