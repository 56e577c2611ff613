import { MantineProvider } from '@mantine/core';
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
          <Notifications position="bottom-right" limit={5} />
        </MantineProvider>
      </LanguageProvider>
    </Provider>
  );
}
