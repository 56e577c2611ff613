import { useIntl } from 'react-intl';
import type { FindingView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MEGABYTE = 2 ** 20;
const GIGABYTE = 2 ** 30;

/** Return the facts of a finding as short texts; ages are those at `now`. */
export function useFacts(finding: FindingView, now: string): string[] {
  const t = useText();
  const format = useFormat();
  const { formatNumber, formatRelativeTime } = useIntl();
  const { key, name, at, oldest_at: oldest, size, free, count, failed, problem } = finding;

  function ago(moment: string) {
    const passed = Math.max(0, Date.parse(now) - Date.parse(moment));
    if (passed < HOUR) return t('ward.minutesAgo', { minutes: Math.floor(passed / MINUTE) });
    const [amount, unit] =
      passed < 2 * DAY ? ([passed / HOUR, 'hour'] as const) : ([passed / DAY, 'day'] as const);
    return formatRelativeTime(-Math.floor(amount), unit);
  }
  const moment = (one: string) => `${format.moment(one)} (${ago(one)})`;
  const bytes = (one: number) =>
    one < GIGABYTE
      ? `${formatNumber(Math.max(0.1, one / MEGABYTE), { maximumFractionDigits: one < 10 * MEGABYTE ? 1 : 0 })} MB`
      : `${formatNumber(one / GIGABYTE, { maximumFractionDigits: 1 })} GB`;
  const joined = (...texts: (string | false | null)[]) => texts.filter(Boolean).join(' · ');

  const lines = () => {
    switch (key) {
      case 'server':
        return [
          joined(
            t('status.version', { version: name ?? '' }),
            at && t('status.runsSince', { at: moment(at) }),
          ),
        ];
      case 'database':
        return [
          joined(
            name,
            size !== null && bytes(size),
            free !== null && t('status.free', { free: bytes(free) }),
          ),
        ];
      case 'backup':
        return at ? [joined(moment(at), size !== null && bytes(size))] : [];
      case 'replica':
      case 'seal':
        return at ? [moment(at)] : [];
      case 'inbound':
        return [
          at && t('status.lastMessage', { at: moment(at) }),
          count ? t('status.held', { count }) : null,
        ];
      case 'audit_sending':
      case 'billing':
        return [
          count && oldest ? t('status.waiting', { count, since: moment(oldest) }) : null,
          failed ? t('status.failed', { count: failed }) : null,
          at && t('status.lastAccepted', { at: moment(at) }),
          problem && t('status.lastProblem', { problem }),
        ];
      case 'email':
        return [finding.advice === null && t('status.emailOn')];
      case 'sign_in':
        return [finding.advice === null && t('status.signInOn')];
      case 'devices':
        return [
          count && oldest
            ? t('status.devicesUnsent', { count, since: moment(oldest) })
            : t('status.devicesNone'),
        ];
      case 'time_zone':
        return [joined(name, t('status.clock', { time: format.time(now) }))];
    }
  };
  return lines().filter((line): line is string => Boolean(line));
}
