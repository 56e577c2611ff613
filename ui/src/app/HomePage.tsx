import { Anchor } from '@mantine/core';
import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import { withLaterTexts } from '@/i18n/messages';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { lazyPart } from '@/shared/ui/lazyPart';
import { Overview } from '@/topics/ward/home/Overview';

const ConsumptionSection = lazyPart(withLaterTexts(() => import('@/topics/reports/ConsumptionSection')));

/**
 * The home page with shortcuts for recording.
 *
 * Supervisors and administrators also see totals.
 */
export default function HomePage() {
  const t = useText();
  const readsReports = useCan('reports.read');
  const seesPrices = useCan('prices.see');
  return (
    <Overview>
      {readsReports &&
        (seesPrices ? (
          <Suspense>
            <ConsumptionSection />
          </Suspense>
        ) : (
          <Anchor component={Link} to="/reports/consumption" mih="var(--touch)">
            {t('reports.title')}
          </Anchor>
        ))}
    </Overview>
  );
}
