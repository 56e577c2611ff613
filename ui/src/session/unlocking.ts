import { type Message, toProblem } from '@/api/problem';
import { signFor } from '@/device/keys';
import type { AppThunk } from '@/storeHooks';
import { currentPerson } from './leaving';
import type { ParkedPerson, UnlockWay } from './parkedPeople';
import { personCalls, type UnlockProof } from './personCalls';
import { locked } from './session';

/** What a person gives to unlock. */
export type Given = { password: string } | { pin: string } | { badge: string };

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
    if ('password' in given) return given;
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
 * Lock the screen for the person whose badge was scanned on a page.
 *
 * Return false if the scan is no badge of a person with a session on this device.
 */
export const lockForBadge =
  (scan: string): AppThunk<boolean> =>
  async (dispatch, getState) => {
    const { session, outbox } = getState();
    const person = currentPerson(session);
    if (!person || !session.user?.quick_unlock || outbox.unreachableSince !== null) return false;
    const userId = await dispatch(findBadge(scan, [person]));
    if (userId === null || getState().session.token !== person.token) return false;
    dispatch(locked(userId));
    return true;
  };

/** Return how the person may unlock on this device, the quickest way first. */
export function waysOf({ unlockBy, isBound }: ParkedPerson, signs: boolean): UnlockWay[] {
  const possible: Record<string, boolean> = {
    pin: isBound && signs,
    badge: isBound && signs,
    password: true,
  };
  return (['pin', 'badge', 'password'] as const).filter((way) => possible[way] && unlockBy.includes(way));
}
