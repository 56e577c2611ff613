import { generatedOidc } from '@/api/generatedOidc';
import { toProblem } from '@/api/problem';
import { text } from '@/i18n/messages';
import { tabStorage } from '@/state/storage';
import type { AppDispatch } from '@/state/storeHooks';
import { noteProviderNames } from './providerNames';
import { signedIn } from './session';

/*
 * Sign-in at the hospital's identity provider (OIDC).
 *
 * It is loaded when someone uses it. The signed transaction of the attempt stays in this tab, so that the provider's
 * answer is worth nothing in another browser, and only once in this one.
 */

/** How long people wait for the provider before they are offered the password, in milliseconds. */
const MAX_WAIT_MS = 3_000;
const KEY = 'hospitalAccount';

interface Attempt {
  transaction: string;
  /** Whether the account of the signed-in user is linked. */
  links: boolean;
}

const { beginOidcSignIn, beginLinkingOidc, finishOidcSignIn, linkOidc, readLogoutUrl } =
  generatedOidc.endpoints;

const explained = (error: unknown) => {
  const { status, messages } = toProblem(error);
  return status === null || messages.length === 0
    ? text('session.hospitalDown')
    : messages.map((message) => message.text).join(' ');
};

/** Go to the provider's page. Return what to tell the user if that is not possible. */
export async function goToProvider(dispatch: AppDispatch, links = false): Promise<string | null> {
  const call = dispatch((links ? beginLinkingOidc : beginOidcSignIn).initiate());
  const timer = window.setTimeout(() => call.abort(), MAX_WAIT_MS);
  const { data, error } = await call;
  window.clearTimeout(timer);
  if (!data) return explained(error);
  const attempt: Attempt = { transaction: data.transaction, links };
  tabStorage.setItem(KEY, JSON.stringify(attempt));
  window.location.assign(data.authorization_url);
  return null;
}

/** Finish with the provider's answer, the query of the callback. */
export async function finishAtServer(dispatch: AppDispatch, query: string) {
  const params = new URLSearchParams(query);
  const { transaction, links } = tabStorage.readJson<Attempt>(KEY) ?? { transaction: '', links: false };
  tabStorage.removeItem(KEY);
  const oidcReturn = {
    code: params.get('code') ?? undefined,
    state: params.get('state') ?? '',
    iss: params.get('iss') ?? undefined,
    error: params.get('error') ?? undefined,
    transaction,
  };
  if (links) {
    const { error } = await dispatch(linkOidc.initiate({ oidcReturn }));
    return { links, failure: error ? explained(error) : null };
  }
  const { data, error } = await dispatch(finishOidcSignIn.initiate({ oidcReturn }));
  if (!data) return { links, failure: explained(error) };
  noteProviderNames(data.given_name, data.family_name);
  dispatch(signedIn(data.access_token));
  return { links, failure: null };
}

/** Return the provider's page for signing out there too, or null. */
export async function logoutPage(dispatch: AppDispatch): Promise<string | null> {
  const { data } = await dispatch(readLogoutUrl.initiate(undefined, { subscribe: false }));
  return data?.url ?? null;
}
