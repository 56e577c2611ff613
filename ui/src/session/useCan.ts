import type { OwnAccountView } from '@/api/generated';
import { useSession } from './session';

export type Permission = OwnAccountView['permissions'][number];

/** Whether the policy allows this person that: `useCan('prices.see')`. The server decides, the screen repeats. */
export function useCan(permission: Permission): boolean {
  return useSession().user?.permissions.includes(permission) ?? false;
}
