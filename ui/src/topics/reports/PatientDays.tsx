import { Text } from '@mantine/core';
import type { ConsumptionTotalsView, PeriodSumsView, PeriodView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './charts.module.css';
import { perDay } from './comparison';

interface Props {
  sums: ConsumptionTotalsView | undefined;
  /** The period before, if the report is compared with it. */
  period: PeriodView | undefined;
}

/** Show the patient-days of a report, and its total for each of them. */
export function PatientDays({ sums, period }: Props) {
  const t = useText();
  const format = useFormat();
  const tell = ({ patient_days, total: charged, value }: PeriodSumsView) => {
    const total = value ?? charged;
    const days = t('reports.patientDays', { days: patient_days });
    if (!patient_days || total === undefined) return days;
    return `${days} · ${t('reports.eachPatientDay', { total: format.money(perDay(total, patient_days, 2)) })}`;
  };
  return (
    <Text component="div" size="sm" className={classes.patientDays}>
      <div>{sums && tell(sums)}</div>
      {period && sums?.previous && (
        <div>
          {`${t('reports.comparedWith', { from: format.day(period.from), to: format.day(period.to) })}: ${tell(sums.previous)}`}
        </div>
      )}
    </Text>
  );
}
