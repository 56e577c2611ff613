/*
 * The first script of the page, small beside the program. While that is on its way, what it will need next comes along:
 * its texts, and where somebody is signed in all that is behind the login, with what the first page asks of the API.
 */

import { DETAILS_PAGE_SIZE } from './api/limits';
import { prefetch } from './api/prefetch';
import { loadTexts, rememberedLanguage } from './i18n/language';
import { storedToken } from './session/storedToken';

const language = rememberedLanguage();
const token = storedToken();
const sheet = /^\/consumption-sheet-details\/(\d{1,15})\/consumption-details\/?$/.exec(
  window.location.pathname,
);

if (token) {
  const ofSheet = sheet && `/api/consumption-sheets/${sheet[1]}`;
  prefetch(
    [
      '/api/auth/profile',
      '/api/settings',
      ...(ofSheet
        ? [ofSheet, `${ofSheet}/consumption-details?limit=${DETAILS_PAGE_SIZE}`, `${ofSheet}/usual-products`]
        : []),
    ],
    { Authorization: `Bearer ${token}`, 'Accept-Language': language },
  );
}
// Whoever needs them is told if they cannot be reached.
loadTexts[language]().catch(() => {});
if (token) import('./app/Application').catch(() => {});
