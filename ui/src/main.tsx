// First, because it starts loading what is needed next; in a chunk of its own.
import './preload';
// Before anything that renders: no code may write HTML before the policy exists.
import './app/trustedTypes';
import './app/mantineBase';
import './app/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LoginGate } from './app/LoginGate';
import { Providers } from './app/Providers';
import { attachListeners, makeStore } from './app/store';
import { rememberedLanguage } from './i18n/language';
import { loadMessages } from './i18n/messages';

const store = makeStore();
attachListeners(store);
document.documentElement.lang = rememberedLanguage();

async function start() {
  await loadMessages(rememberedLanguage());
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <Providers store={store}>
        <LoginGate />
      </Providers>
    </StrictMode>,
  );
}

// A top-level await would stop the bundler from merging files.
start();
