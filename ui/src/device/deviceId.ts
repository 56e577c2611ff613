import { newIdempotencyKey } from '@/api/idempotencyKey';
import { deviceStorage } from '@/state/storage';

const KEY = 'device';

/** Return the random id of this device. It says nothing about the device or its users. */
export function deviceId(): string {
  const stored = deviceStorage.getItem(KEY);
  if (stored) return stored;
  const made = newIdempotencyKey();
  deviceStorage.setItem(KEY, made);
  return made;
}
