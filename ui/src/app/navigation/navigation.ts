import {
  type Icon,
  IconBox,
  IconBuildingHospital,
  IconClipboardCheck,
  IconClipboardList,
  IconClockHour4,
  IconDoor,
  IconFileImport,
  IconHeartbeat,
  IconHistory,
  IconHome,
  IconId,
  IconListCheck,
  IconMail,
  IconPackage,
  IconPackageOff,
  IconReportAnalytics,
  IconRobot,
  IconSettings,
  IconStethoscope,
  IconUserCog,
  IconUserHeart,
} from '@tabler/icons-react';
import { useMemo } from 'react';
import type { MessageId } from '@/i18n/language';
import { useSession } from '@/session/session';
import type { Permission } from '@/session/useCan';

/** The headings of the menu, in order. */
export const groups = {
  work: 'nav.work',
  catalogue: 'nav.catalogue',
  administration: 'nav.administration',
} as const;

export interface NavigationLink {
  to: string;
  label: MessageId;
  icon: Icon;
  /** The heading of the menu above it. */
  group: keyof typeof groups;
  /** Pages on which it is highlighted. By default those at its address and below. */
  at?: RegExp;
  /** Whether it shows the number of items that wait. */
  hasCount?: true;
  /** The permission required to see it. */
  permission: Permission;
}

const navigation: NavigationLink[] = [
  {
    to: '/',
    label: 'home.title',
    icon: IconHome,
    group: 'work',
    at: /^\/$/,
    permission: 'sheets.read',
  },
  {
    to: '/worklist',
    label: 'worklist.title',
    icon: IconListCheck,
    group: 'work',
    permission: 'late_entries.manage',
    hasCount: true,
  },
  {
    to: '/consumption-sheets',
    label: 'sheets.title',
    icon: IconClipboardList,
    group: 'work',
    at: /^\/(consumption-sheets(?!\/closed)|consumption-sheet-details)/,
    permission: 'sheets.read',
  },
  {
    to: '/consumption-sheets/closed',
    label: 'sheets.closed.title',
    icon: IconClipboardCheck,
    group: 'work',
    permission: 'sheets.read',
  },
  {
    to: '/patients',
    label: 'patients.title',
    icon: IconUserHeart,
    group: 'work',
    permission: 'patients.read',
  },
  {
    to: '/shift',
    label: 'shift.title',
    icon: IconClockHour4,
    group: 'work',
    permission: 'details.add',
  },
  {
    to: '/restock',
    label: 'restock.title',
    icon: IconBox,
    group: 'work',
    permission: 'restock.close',
  },
  // Ward staff see only the links above. Their link to the report is on the home page.
  {
    to: '/reports/consumption',
    label: 'reports.title',
    icon: IconReportAnalytics,
    group: 'work',
    at: /^\/reports\//,
    permission: 'prices.see',
  },
  {
    to: '/products',
    label: 'products.title',
    icon: IconPackage,
    group: 'catalogue',
    permission: 'catalogue.manage',
  },
  {
    to: '/recalls',
    label: 'recalls.title',
    icon: IconPackageOff,
    group: 'catalogue',
    permission: 'recalls.manage',
  },
  {
    to: '/implants',
    label: 'implants.title',
    icon: IconId,
    group: 'catalogue',
    permission: 'implants.read',
  },
  {
    to: '/areas',
    label: 'areas.title',
    icon: IconBuildingHospital,
    group: 'catalogue',
    permission: 'catalogue.manage',
  },
  {
    to: '/rooms',
    label: 'rooms.title',
    icon: IconDoor,
    group: 'catalogue',
    permission: 'catalogue.manage',
  },
  {
    to: '/staff',
    label: 'staff.title',
    icon: IconStethoscope,
    group: 'catalogue',
    permission: 'staff.manage',
  },
  {
    to: '/users',
    label: 'users.title',
    icon: IconUserCog,
    group: 'administration',
    at: /^\/users(?!\/account)/,
    permission: 'users.manage',
  },
  {
    to: '/imports',
    label: 'imports.title',
    icon: IconFileImport,
    group: 'administration',
    permission: 'imports.run',
  },
  {
    to: '/hospital',
    label: 'hospital.title',
    icon: IconSettings,
    group: 'administration',
    permission: 'hospital.manage',
  },
  {
    to: '/service-accounts',
    label: 'programs.title',
    icon: IconRobot,
    group: 'administration',
    permission: 'service_accounts.manage',
  },
  {
    to: '/messages',
    label: 'messages.title',
    icon: IconMail,
    group: 'administration',
    permission: 'messages.read',
  },
  {
    to: '/audit',
    label: 'audit.title',
    icon: IconHistory,
    group: 'administration',
    permission: 'audit.read',
  },
  {
    to: '/status',
    label: 'status.title',
    icon: IconHeartbeat,
    group: 'administration',
    permission: 'status.read',
  },
];

/** Return the links that the user has permission for, in order. */
export function usePermittedNavigation(): NavigationLink[] {
  const { user } = useSession();
  return useMemo(() => navigation.filter(({ permission }) => user?.permissions.includes(permission)), [user]);
}
