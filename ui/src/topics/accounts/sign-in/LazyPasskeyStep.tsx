import { type ComponentProps, lazy, Suspense } from 'react';
import { throwUnreachable } from '@/api/problem';
import { loadLaterMessages } from '@/i18n/messages';
import { PageLoader } from '@/shared/ui/PageLoader';

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
