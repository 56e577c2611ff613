import { useCan } from '@/session/useCan';
import { ListTabs } from '@/shared/lists/ListTabs';

const reports = [
  { to: '/reports/consumption', label: 'reports.consumption' },
  { to: '/reports/months', label: 'months.title' },
] as const;

/** Switch between the report and the closed months, for users who may read months. */
export function ReportTabs({ at }: { at: (typeof reports)[number]['to'] }) {
  const seesPrices = useCan('prices.see');
  if (!seesPrices) return null;
  return <ListTabs label="reports.lists" lists={reports.map((one) => ({ ...one, here: one.to === at }))} />;
}
