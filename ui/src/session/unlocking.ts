import { generatedApi } from '@/api/generated';
import { type Message, toProblem } from '@/api/problem';
import { canSign, publicKey, signFor } from '@/device/keys';
import type { AppThunk } from '@/state/storeHooks';
import { currentPerson, endDropped, endSession } from './leaving';
import type { ParkedPerson, UnlockWay } from './parkedPeople';
import { personCalls, type UnlockProof } from './personCalls';
import { saveLastPath } from './savedWork';
import { deviceBound, personRemoved, personSwitched, signedOut } from './session';

/*
 * Several people on one device, who unlock by PIN and badge; the key of this device signs.
 *
 * Loaded when it is needed, not with the first page.
 */

/** What a person gives to unlock, signed by this device. */
export type Given = { pin: string } | { badge: string };

/** Outcome of a try to unlock. */
export type UnlockOutcome =
  | { is: 'unlocked' }
  /** Refused, with reasons. The way may be used again unless `isFinal`. */
  | { is: 'refused'; messages: Message[]; isFinal: boolean }
  /** The session has ended: only a sign-in helps. */
  | { is: 'over' }
  /** This device cannot sign. */
  | { is: 'unsigned' }
  | { is: 'unreachable' };

/** Refusals after which a PIN or badge may be tried again. */
const PASSING = new Set(['pin.wrong', 'badge.unknown', 'badge.needs_pin', 'nonce.expired']);

/** Unlock the session of a person on this device. */
export const unlockPerson =
  (person: ParkedPerson, given: Given): AppThunk<UnlockOutcome> =>
  async (dispatch) => {
    const proof = await dispatch(signGiven(person, given));
    if ('is' in proof) return proof;
    const { error } = await dispatch(
      personCalls.endpoints.unlockFor.initiate({ token: person.token, proof }),
    );
    return error ? outcomeOf(error) : { is: 'unlocked' };
  };

const signGiven =
  (person: ParkedPerson, given: Given): AppThunk<UnlockProof | UnlockOutcome> =>
  async (dispatch) => {
    const { token, userId } = person;
    const { data, error } = await dispatch(personCalls.endpoints.makeNonceFor.initiate({ token }));
    if (!data) return outcomeOf(error);
    const signature = await signFor('unlock', data.nonce, userId);
    return signature ? { ...given, nonce: data.nonce, signature } : { is: 'unsigned' };
  };

function outcomeOf(error: unknown): UnlockOutcome {
  const { status, messages } = toProblem(error);
  if (status === 401) return { is: 'over' };
  if (status === 429) return { is: 'refused', messages, isFinal: false };
  if (status !== 422) return { is: 'unreachable' };
  return { is: 'refused', messages, isFinal: messages.some(({ code }) => !PASSING.has(code ?? '')) };
}

/**
 * Return whose badge was scanned, of the people with a session on this device, or null.
 *
 * Any of their sessions may ask; one may have ended.
 */
export const findBadge =
  (badge: string, people: ParkedPerson[]): AppThunk<number | null> =>
  async (dispatch) => {
    for (const { token, userId, isBound } of people) {
      if (!isBound) continue;
      const { data } = await dispatch(personCalls.endpoints.makeNonceFor.initiate({ token }));
      const signature = data && (await signFor('badge', data.nonce, userId));
      if (!signature) continue;
      const { nonce } = data;
      const found = await dispatch(
        personCalls.endpoints.findBadgeFor.initiate({ token, proof: { badge, nonce, signature } }),
      );
      return found.data?.user_id ?? null;
    }
    return null;
  };

/**
 * Return how the person may unlock on this device, the quickest way first.
 *
 * The last is the password or, for people without one, the hospital's own sign-in.
 */
export function waysOf({ unlockBy, isBound }: ParkedPerson, signs: boolean): UnlockWay[] {
  const possible: Record<string, boolean> = {
    pin: isBound && signs,
    badge: isBound && signs,
  };
  return [
    ...(['pin', 'badge'] as const).filter((way) => possible[way] && unlockBy.includes(way)),
    'password',
  ];
}

/**
 * Bind the session to the key of this device, so that it can be unlocked by PIN and badge.
 *
 * The server allows it soon after a sign-in or an unlocking with the password.
 */
export const bindDevice = (): AppThunk<void> => async (dispatch, getState) => {
  const { token, user } = getState().session;
  if (!token || !user || !canSign()) return;
  const key = await publicKey().catch(() => null); // no storage in this browser
  if (!key) return;
  const { makeNonce, bindDevice: bind } = generatedApi.endpoints;
  const { data } = await dispatch(makeNonce.initiate());
  const signature = data && (await signFor('device', data.nonce, user.id));
  if (!signature) return;
  const deviceDraft = { public_key: key, nonce: data.nonce, signature };
  const { error } = await dispatch(bind.initiate({ deviceDraft }));
  if (!error) dispatch(deviceBound(token));
};

/** Continue as another person, who has unlocked their session on this device. */
export const switchTo =
  (person: ParkedPerson, path: string): AppThunk<void> =>
  async (dispatch, getState) => {
    const { session } = getState();
    const former = currentPerson(session);
    if (former) saveLastPath(former.userId, path);
    dispatch(personSwitched(person));
    if (former) await dispatch(endDropped(session, former, person));
  };

/** End a person's session and remove them from this device. Their entries stay. */
export const removePerson =
  (person: ParkedPerson, onLeft?: () => void): AppThunk<void> =>
  async (dispatch, getState) => {
    await dispatch(endSession(person));
    if (getState().session.token !== person.token) return void dispatch(personRemoved(person.userId));
    dispatch(signedOut());
    onLeft?.();
  };
