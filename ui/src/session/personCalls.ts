import { api } from '@/api/base';
import type { PasskeyOptions } from '@/api/generated';

/*
 * Calls for a person with a session on this device, whose token each of them brings.
 *
 * The current session and its cache are unaffected.
 */

interface Of {
  token: string;
}

const as = ({ token }: Of) => ({ method: 'POST', headers: { Authorization: `Bearer ${token}` } });

/** What proves to the server who unlocks, other than the password. */
interface Signed {
  nonce: string;
  signature: string;
}
export type UnlockProof =
  | { password: string }
  | { passkey: unknown }
  | ({ pin: string } & Signed)
  | ({ badge: string } & Signed);

export const personCalls = api.injectEndpoints({
  endpoints: (build) => ({
    makeNonceFor: build.mutation<{ nonce: string }, Of>({
      extraOptions: { success: [201] },
      query: (person) => ({ ...as(person), url: '/api/auth/nonce' }),
    }),
    unlockFor: build.mutation<null, Of & { proof: UnlockProof }>({
      extraOptions: { success: [204] },
      query: ({ proof, ...person }) => ({ ...as(person), url: '/api/auth/unlock', body: proof }),
    }),
    findBadgeFor: build.mutation<{ user_id: number }, Of & { proof: { badge: string } & Signed }>({
      extraOptions: { success: [200] },
      query: ({ proof, ...person }) => ({ ...as(person), url: '/api/auth/badge', body: proof }),
    }),
    beginPasskeyUnlockFor: build.mutation<PasskeyOptions, Of>({
      extraOptions: { success: [201] },
      query: (person) => ({ ...as(person), url: '/api/auth/unlock/options' }),
    }),
    signOutFor: build.mutation<null, Of>({
      extraOptions: { success: [204] },
      query: (person) => ({ ...as(person), url: '/api/auth/logout' }),
    }),
  }),
});

export const { useBeginPasskeyUnlockForMutation, useUnlockForMutation } = personCalls;
