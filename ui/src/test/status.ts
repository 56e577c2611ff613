import type { FindingView, StatusKey, StatusView } from '@/api/generated';

const KEYS: StatusKey[] = [
  'server',
  'database',
  'backup',
  'replica',
  'seal',
  'audit_sending',
  'inbound',
  'billing',
  'email',
  'sign_in',
  'devices',
  'time_zone',
];

/** A status in which all is right, apart from `changes` by part. */
export const aStatus = (changes: Partial<Record<StatusKey, Partial<FindingView>>> = {}): StatusView => ({
  at: '2026-11-21T10:32:00Z',
  findings: KEYS.map((key) => ({
    key,
    level: 'ok',
    advice: null,
    name: null,
    at: null,
    oldest_at: null,
    size: null,
    free: null,
    count: null,
    failed: null,
    problem: null,
    ...changes[key],
  })),
});
