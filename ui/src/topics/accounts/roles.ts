import type { ManagedRoleView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useSession } from '@/session/session';

interface Role {
  name: MessageId;
  /** What users with this role may do. */
  hint: MessageId;
}

/** Labels of the roles. The server says who may assign them, and which ones have a profile. */
export const roles: Record<string, Role> = {
  1: { name: 'roles.user', hint: 'roles.userHint' },
  2: { name: 'roles.supervisor', hint: 'roles.supervisorHint' },
  10: { name: 'roles.admin', hint: 'roles.adminHint' },
};

export function roleOf(role: string): Role {
  const known = roles[role];
  if (!known) throw new Error(`Unknown role ${role}`);
  return known;
}

/** Return the roles that this user may assign, with labels. */
export function useManagedRoles(): (ManagedRoleView & Role)[] {
  return useSession().user?.managed_roles.map((managed) => ({ ...managed, ...roleOf(managed.role) })) ?? [];
}
