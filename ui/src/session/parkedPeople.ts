import type { OwnAccountView } from '@/api/generated';
import { deviceStorage } from '@/state/storage';

/*
 * People with a locked session on this device.
 *
 * Their names and tokens are stored in deviceStorage. The server lets a locked token unlock its session and send
 * entries, nothing else.
 */

/** A person whose session is parked here. */
export interface ParkedPerson {
  userId: number;
  name: string;
  email: string;
  token: string;
  unlockBy: UnlockWay[];
  /** Whether the session belongs to the key of this device. */
  isBound: boolean;
}

export type UnlockWay = OwnAccountView['unlock_by'][number];

/** Maximum number of parked people; the one who left first makes room. */
export const MAX_PARKED = 8;

const PEOPLE_KEY = 'people';

export function parkedPeople(): ParkedPerson[] {
  const stored = deviceStorage.readJson(PEOPLE_KEY);
  return Array.isArray(stored) ? stored : [];
}

export function storeParkedPeople(people: ParkedPerson[]) {
  if (people.length > 0) deviceStorage.setItem(PEOPLE_KEY, JSON.stringify(people));
  else deviceStorage.removeItem(PEOPLE_KEY);
}

export function personOf(
  { id, email, profile, unlock_by }: OwnAccountView,
  token: string,
  isBound: boolean,
): ParkedPerson {
  return {
    userId: id,
    name: profile ? `${profile.name} ${profile.first_surname}` : email,
    email,
    token,
    // A user stored by an earlier version lacks them.
    unlockBy: unlock_by ?? ['password'],
    isBound,
  };
}

/** Return the people with this one first, at most `MAX_PARKED`. */
export const withParked = (people: ParkedPerson[], person: ParkedPerson) =>
  [person, ...people.filter(({ userId }) => userId !== person.userId)].slice(0, MAX_PARKED);
