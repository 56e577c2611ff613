import type { OutboxEntry } from '@/device/outboxEntry';
import { allEntries } from './entries';
import type { Other } from './outboxSlice';

/** Return the other users with entries, oldest entry first. */
export function otherUsersEntries(all: OutboxEntry[], userId: number | null): Other[] {
  const found = new Map<number, Other>();
  for (const { user_id, user_name, occurred_at } of all) {
    if (user_id === userId) continue;
    const one = found.get(user_id);
    if (one) {
      one.count += 1;
      if (Date.parse(occurred_at) < Date.parse(one.since)) one.since = occurred_at;
    } else found.set(user_id, { userId: user_id, name: user_name, count: 1, since: occurred_at });
  }
  return [...found.values()];
}

export const othersOnDevice = async (userId: number | null) => otherUsersEntries(await allEntries(), userId);
