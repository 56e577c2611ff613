// First of all: nothing may write HTML before the policy stands.
import './app/trustedTypes';
import './app/mantineBase';
import './app/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { Providers } from './app/Providers';
import { makeRoutes } from './app/router';
import { listen, makeStore } from './app/store';
import { loadMessages, rememberedLanguage } from './i18n/language';

const store = makeStore();
listen(store);
const router = createBrowserRouter(makeRoutes());
const language = rememberedLanguage();
document.documentElement.lang = language;

const messages = await loadMessages(language);
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Providers store={store} initial={{ language, messages }}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
