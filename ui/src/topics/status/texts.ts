import type { StatusAdvice, StatusKey } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

/** The names of the parts. */
export const names: Record<StatusKey, MessageId> = {
  server: 'status.server',
  database: 'status.database',
  backup: 'status.backup',
  replica: 'status.replica',
  seal: 'status.seal',
  audit_sending: 'status.audit_sending',
  inbound: 'status.inbound',
  billing: 'status.billing',
  email: 'status.email',
  sign_in: 'status.sign_in',
  devices: 'status.devices',
  time_zone: 'status.time_zone',
};

/** What to do about each advice, in one sentence. */
export const advices: Record<StatusAdvice, MessageId> = {
  audit_off: 'status.advice.audit_off',
  audit_slow: 'status.advice.audit_slow',
  audit_stuck: 'status.advice.audit_stuck',
  backup_none: 'status.advice.backup_none',
  backup_old: 'status.advice.backup_old',
  billing_dead: 'status.advice.billing_dead',
  billing_off: 'status.advice.billing_off',
  billing_slow: 'status.advice.billing_slow',
  billing_stuck: 'status.advice.billing_stuck',
  disk_full: 'status.advice.disk_full',
  disk_low: 'status.advice.disk_low',
  email_off: 'status.advice.email_off',
  inbound_held: 'status.advice.inbound_held',
  inbound_none: 'status.advice.inbound_none',
  inbound_quiet: 'status.advice.inbound_quiet',
  lines_forgotten: 'status.advice.lines_forgotten',
  lines_unsent: 'status.advice.lines_unsent',
  replica_down: 'status.advice.replica_down',
  replica_off: 'status.advice.replica_off',
  replica_old: 'status.advice.replica_old',
  seal_none: 'status.advice.seal_none',
  seal_old: 'status.advice.seal_old',
  sign_in_off: 'status.advice.sign_in_off',
  sign_in_unreachable: 'status.advice.sign_in_unreachable',
  sign_in_unusable: 'status.advice.sign_in_unusable',
  time_zone_utc: 'status.advice.time_zone_utc',
};
