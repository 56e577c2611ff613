import { newIdempotencyKey } from '@/api/idempotencyKey';

const KEY = 'device';

/** Return the random id of this device. It says nothing about the device or its users. */
export function deviceId(): string {
  const stored = localStorage.getItem(KEY);
  if (stored) return stored;
  const made = newIdempotencyKey();
  localStorage.setItem(KEY, made);
  return made;
}
