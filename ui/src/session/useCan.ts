import type { OwnAccountView } from '@/api/generated';
import { useSession } from './session';

export type Permission = OwnAccountView['permissions'][number];

/**
 * Return whether the user has a permission: `useCan('prices.see')`.
 *
 * The server decides; the client only repeats it.
 */
export function useCan(permission: Permission): boolean {
  return useSession().user?.permissions.includes(permission) ?? false;
}
