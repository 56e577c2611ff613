/*
 * The first script of the page.
 *
 * While the rest of the code loads, it starts loading what is needed next: the texts and, with a token, the
 * application and the API responses of the first page.
 */

import { DETAILS_PAGE_SIZE } from './api/limits';
import { prefetch } from './api/prefetch';
import { loadTexts, rememberedLanguage } from './i18n/language';
import { isLockStored, storedToken } from './session/storedToken';

const language = rememberedLanguage();
// The answer of the hospital's identity provider is about to change the account.
const token = window.location.pathname === '/auth/oidc/callback' ? null : storedToken();
const sheet = /^\/consumption-sheet-details\/(\d{1,15})\/consumption-details\/?$/.exec(
  window.location.pathname,
);

if (token) {
  const ofSheet = sheet && `/api/consumption-sheets/${sheet[1]}`;
  const ofUser = [
    '/api/auth/profile',
    ...(ofSheet
      ? [ofSheet, `${ofSheet}/consumption-details?limit=${DETAILS_PAGE_SIZE}`, `${ofSheet}/usual-products`]
      : []),
  ];
  prefetch(['/api/settings', ...(isLockStored() ? [] : ofUser)], {
    Authorization: `Bearer ${token}`,
    'Accept-Language': language,
  });
}
// A failure is reported to the code that needs the texts.
loadTexts(language).catch(() => {});
if (token) import('./app/Application').catch(() => {});
