import { render as renderBare } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import type { OwnAccountView } from '@/api/generated';
import { Providers } from '@/app/Providers';
import { makeRoutes } from '@/app/router';
import type { Language } from '@/i18n/language';
import { loadLaterMessages, loadMessages } from '@/i18n/messages';
import { server } from './server';
import { storeFor } from './store';

interface Options {
  language?: Language;
  /** The signed-in user, if any. */
  user?: OwnAccountView;
}

/** Render a component, or the application at an address, for `user`. */
export async function render(what: ReactNode | { at: string }, { language = 'es', user }: Options = {}) {
  const store = storeFor(user);
  if (user) server.use(http.get('/api/auth/profile', () => HttpResponse.json(user)));
  document.documentElement.lang = language;
  const address = typeof what === 'object' && what !== null && 'at' in what ? what.at : null;
  await loadMessages(language);
  // The router loads them with the pages that need them.
  if (address === null) await loadLaterMessages();
  const router =
    address === null
      ? createMemoryRouter([{ path: '*', element: what as ReactNode }])
      : createMemoryRouter(makeRoutes(), { initialEntries: [address] });
  renderBare(
    <Providers store={store}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return { store, router };
}
