import { MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { type ReactNode, Suspense } from 'react';
import { Provider } from 'react-redux';
import { LanguageProvider } from '@/i18n/LanguageProvider';
import { useSession } from '@/session/session';
import { lazyPart } from '@/shared/ui/lazyPart';
import { useFirstInteraction } from '@/shared/ui/useFirstInteraction';
import { ErrorBoundary } from './errors/ErrorBoundary';
import { DemonstrationBanner } from './shell/DemonstrationBanner';
import type { Store } from './store';
import { schemeVariables, theme } from './theme';

export function Providers({ store, children }: { store: Store; children: ReactNode }) {
  return (
    <Provider store={store}>
      <LanguageProvider>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={schemeVariables}
          deduplicateCssVariables={false}
          defaultColorScheme="auto"
        >
          <ErrorBoundary>
            <DemonstrationBanner />
            {children}
            <LazyToasts />
          </ErrorBoundary>
        </MantineProvider>
      </LanguageProvider>
    </Provider>
  );
}

const Toasts = lazyPart(() => import('./shell/Toasts'));

function LazyToasts() {
  const touched = useFirstInteraction();
  const { token } = useSession();
  const waiting = useNotifications().notifications.length > 0;
  // The login needs the network anyway, and loads them with its first toast.
  if (!(touched && token) && !waiting) return null;
  return (
    <Suspense>
      <Toasts />
    </Suspense>
  );
}
