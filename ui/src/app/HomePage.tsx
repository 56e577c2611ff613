import { Anchor } from '@mantine/core';
import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import { withLaterTexts } from '@/i18n/messages';
import { useText } from '@/i18n/useText';
import { useDeviceCopies } from '@/recording/sync/useDeviceCopies';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { lazyPart } from '@/shared/ui/lazyPart';
import { WardPage } from '@/topics/ward/home/WardPage';

const ConsumptionSection = lazyPart(withLaterTexts(() => import('@/topics/reports/ConsumptionSection')));

/**
 * The home page: the beds.
 *
 * Supervisors and administrators also see totals.
 */
export default function HomePage() {
  const t = useText();
  // Without network, the area's beds are shown from these copies.
  useDeviceCopies(useSession().user?.ward?.area?.id);
  const readsReports = useCan('reports.read');
  const seesPrices = useCan('prices.see');
  return (
    <WardPage>
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
    </WardPage>
  );
}
