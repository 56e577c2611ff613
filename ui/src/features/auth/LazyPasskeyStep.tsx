import { type ComponentProps, lazy, Suspense } from 'react';
import { throwUnreachable } from '@/api/problem';
import { PageLoader } from '@/components/ui/PageLoader';
import { loadLaterMessages } from '@/i18n/messages';

const PasskeyStep = lazy(async () => {
  const [step] = await Promise.all([import('./PasskeyStep'), loadLaterMessages()]).catch(throwUnreachable);
  return step;
});

/** The passkey step, loaded once it is needed. */
export const LazyPasskeyStep = (props: ComponentProps<typeof PasskeyStep>) => (
  <Suspense fallback={<PageLoader />}>
    <PasskeyStep {...props} />
  </Suspense>
);
