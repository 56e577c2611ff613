import { MantineProvider, useMatches } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { LanguageProvider } from '@/i18n/LanguageProvider';
import type { Language } from '@/i18n/language';
import type { Store } from './store';
import { schemeVariables, theme } from './theme';

interface Props {
  store: Store;
  initial: { language: Language; messages: Record<string, string> };
  children: ReactNode;
}

export function Providers({ store, initial, children }: Props) {
  return (
    <Provider store={store}>
      <LanguageProvider initial={initial}>
        <MantineProvider theme={theme} cssVariablesResolver={schemeVariables} defaultColorScheme="auto">
          {children}
          <Toasts />
        </MantineProvider>
      </LanguageProvider>
    </Provider>
  );
}

/** Out of the way of what a person is about to press: on a phone that is below. */
function Toasts() {
  const position = useMatches({ base: 'top-center', sm: 'bottom-right' } as const);
  return <Notifications position={position} limit={5} />;
}
