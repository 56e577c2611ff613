import { memo, type ReactNode, useMemo } from 'react';
import type { ConsumptionDayView, DetailView, PersonView, ProductView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { fullName } from '@/shared/records/fullName';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { ClampedText } from '@/shared/ui/ClampedText';
import { groupByCategory, groupByDay } from '../common/lineGroups';
import classes from './SidePanel.module.css';
import { UsualProducts } from './UsualProducts';
import type { Pins } from './usePins';

/** How many staff members are named, the latest first. */
const PEOPLE = 6;

interface Props {
  /** Newest first. */
  details: DetailView[];
  /** Whether these are all lines of the sheet. */
  isComplete: boolean;
  /** The sheet's lines by day. */
  days: ConsumptionDayView[];
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
export default memo(function SidePanel({ details, isComplete, days, usual, onChoose, pins }: Props) {
  const t = useText();
  const format = useFormat();
  const today = format.dayOf(new Date());
  const categories = useMemo(() => {
    const group = groupByDay(details, days, format.dayOf, null, isComplete).find(({ day }) => day === today);
    return group ? groupByCategory(group) : [];
  }, [details, days, isComplete, format, today]);
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
      {categories && (
        <Part title={t('details.panel.today')}>
          {categories.length === 0 && <p className={classes.none}>{t('details.panel.nothingToday')}</p>}
          <dl className={classes.facts}>
            {categories.map(({ id, name, lines, total }) => (
              <div key={id}>
                <dt>
                  <ClampedText>{name}</ClampedText>
                </dt>
                <dd>{total === undefined ? t('sheets.recorded', { count: lines }) : format.money(total)}</dd>
              </div>
            ))}
          </dl>
        </Part>
      )}
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
