import type { OwnAccountView } from '@/api/generated';

const ward: OwnAccountView['permissions'] = [
  'profile.link',
  'sheets.read',
  'sheets.open',
  'sheets.edit',
  'sheets.close',
  'sheets.delete_empty',
  'details.add',
  'details.delete_own',
  'details.move_own',
  'details.return',
  'kits.own',
  'catalogue.read',
  'restock.close',
  'patients.read',
  'patients.save',
  'profile.own',
  'account.own',
  'reports.read',
  'fhir.read',
];

const nurse: OwnAccountView = {
  id: 3,
  email: 'user@consumo.test',
  role: '1',
  staff_id: 7,
  profile: {
    id: 7,
    name: 'Lucía',
    first_surname: 'Paredes',
    second_surname: null,
    telephone_number: null,
    job_title: null,
    date_of_birth: null,
    user_id: 3,
  },
  permissions: ward,
  managed_roles: [],
  profile_required: false,
  has_password: true,
  oidc_linked: false,
  unlock_by: ['password'],
  second_factor_required: false,
  passkey_due_on: null,
  quick_unlock: true,
  ward: { area: null },
};

export const aNurse = (change: Partial<OwnAccountView> = {}): OwnAccountView => ({ ...nurse, ...change });

export const aNewcomer = (): OwnAccountView =>
  aNurse({
    staff_id: null,
    profile: null,
    permissions: ['profile.own', 'account.own'],
    profile_required: true,
  });

export const aSupervisor = (change: Partial<OwnAccountView> = {}): OwnAccountView =>
  aNurse({
    id: 2,
    email: 'supervisor@consumo.test',
    role: '2',
    permissions: [
      ...ward,
      'prices.see',
      'details.edit',
      'messages.read',
      'details.delete_any',
      'details.move_any',
      'details.record_for_any_staff',
      'details.record_of_any_day',
      'late_entries.manage',
      'sheets.delete_open',
      'sheets.history',
      'catalogue.manage',
      'recalls.manage',
      'implants.read',
      'kits.manage',
      'patients.delete',
      'patients.readers',
      'patients.merge',
      'staff.manage',
      'users.manage',
      'imports.run',
      'imports.undo',
      'months.close',
      'messages.read',
    ],
    managed_roles: [
      { role: '1', has_profile: true },
      { role: '2', has_profile: true },
    ],
    ...change,
  });

export const anAdministrator = (): OwnAccountView => {
  const supervisor = aSupervisor({ id: 1, email: 'admin@consumo.test', role: '10', staff_id: null });
  return {
    ...supervisor,
    profile: null,
    permissions: [
      ...supervisor.permissions.filter((permission) => permission !== 'profile.link'),
      'sheets.reopen',
      'sheets.delete_closed',
      'patients.unmerge',
      'patients.unmerge_any',
      'audit.read',
      'messages.decide',
      'service_accounts.manage',
      'status.read',
      'hospital.manage',
    ],
    managed_roles: [...supervisor.managed_roles, { role: '10', has_profile: false }],
  };
};
