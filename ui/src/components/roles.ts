import type { ManagedRoleView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useSession } from '@/session/session';

interface Role {
  name: MessageId;
  /** What those who have it may do. */
  hint: MessageId;
}

/** What the roles are called. Who may give which, and which of them keep a profile, the server says. */
export const roles: Record<string, Role> = {
  1: { name: 'roles.user', hint: 'roles.userHint' },
  2: { name: 'roles.supervisor', hint: 'roles.supervisorHint' },
  10: { name: 'roles.admin', hint: 'roles.adminHint' },
};

export function roleOf(role: string): Role {
  const known = roles[role];
  if (!known) throw new Error(`Nobody knows of a role ${role}`);
  return known;
}

/** The roles that this person may give, each with its words. */
export function useManagedRoles(): (ManagedRoleView & Role)[] {
  return useSession().user?.managed_roles.map((managed) => ({ ...managed, ...roleOf(managed.role) })) ?? [];
}
