import { Suspense } from 'react';
import { useHospitalClock } from '@/i18n/hospitalClock';
import { loadLaterMessages } from '@/i18n/messages';
import { lazyPart } from '@/shared/ui/lazyPart';

const TimeZoneBanner = lazyPart(async () => {
  const [banner] = await Promise.all([import('./TimeZoneBanner'), loadLaterMessages()]);
  return banner;
});

/** Load the line about the time zone in a browser that does not know it. */
export function LazyTimeZoneBanner() {
  const { isKnown } = useHospitalClock();
  if (isKnown) return null;
  return (
    <Suspense>
      <TimeZoneBanner />
    </Suspense>
  );
}
