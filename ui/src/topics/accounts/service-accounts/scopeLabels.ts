import type { MadeKeyView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';

type Scope = MadeKeyView['key']['scopes'][number];

const reading = {
  'sheets.read': 'scope.sheets.read',
  'sheets.history': 'scope.sheets.history',
  'patients.read': 'scope.patients.read',
  'patients.readers': 'scope.patients.readers',
  'catalogue.read': 'scope.catalogue.read',
  'prices.see': 'scope.prices.see',
  'reports.read': 'scope.reports.read',
  'implants.read': 'scope.implants.read',
  'audit.read': 'scope.audit.read',
  'fhir.read': 'scope.fhir.read',
  'messages.read': 'scope.messages.read',
} as const satisfies Partial<Record<Scope, MessageId>>;

const recording = {
  'sheets.open': 'scope.sheets.open',
  'sheets.edit': 'scope.sheets.edit',
  'sheets.close': 'scope.sheets.close',
  'sheets.reopen': 'scope.sheets.reopen',
  'sheets.delete_empty': 'scope.sheets.delete_empty',
  'sheets.delete_open': 'scope.sheets.delete_open',
  'patients.save': 'scope.patients.save',
  'patients.merge': 'scope.patients.merge',
  'patients.delete': 'scope.patients.delete',
  'details.add': 'scope.details.add',
  'details.record_for_any_staff': 'scope.details.record_for_any_staff',
  'details.record_of_any_day': 'scope.details.record_of_any_day',
  'details.edit': 'scope.details.edit',
  'details.return': 'scope.details.return',
  'details.move_own': 'scope.details.move_own',
  'details.move_any': 'scope.details.move_any',
  'details.delete_own': 'scope.details.delete_own',
  'details.delete_any': 'scope.details.delete_any',
  'late_entries.manage': 'scope.late_entries.manage',
} as const satisfies Partial<Record<Scope, MessageId>>;

const upkeep = {
  'catalogue.manage': 'scope.catalogue.manage',
  'kits.manage': 'scope.kits.manage',
  'recalls.manage': 'scope.recalls.manage',
  'restock.close': 'scope.restock.close',
  'months.close': 'scope.months.close',
  'staff.manage': 'scope.staff.manage',
} as const satisfies Partial<Record<Scope, MessageId>>;

const words: Partial<Record<Scope, MessageId>> = { ...reading, ...recording, ...upkeep };

/**
 * Return the name of a key's scope.
 *
 * A newer server may have scopes that are unknown here.
 */
export function useScopeLabels() {
  const t = useText();
  return (scope: Scope) => (words[scope] ? t(words[scope]) : scope);
}

const listed = (words: object) => Object.keys(words) as Scope[];

export const scopeGroups = [
  { title: 'keys.reading', scopes: listed(reading) },
  { title: 'keys.recording', scopes: listed(recording) },
  { title: 'keys.upkeep', scopes: listed(upkeep) },
] as const satisfies { title: MessageId; scopes: Scope[] }[];
