import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { ageAt } from './age';
import { beforeName } from './counted';
import type { Decimal } from './decimal';
import { useHospitalClock } from './hospitalClock';
import { withMarks } from './numberMarks';

/** Money, quantities and dates as the reader's language writes them. */
export function useFormat() {
  const { formatNumber, formatNumberToParts, formatDate, formatTime, formatMessage } = useIntl();
  const { data: settings } = useReadSettingsQuery();
  const writes = settings?.number_format;
  const clock = useHospitalClock();
  return useMemo(() => {
    const parts = (...given: Parameters<typeof formatNumberToParts>) =>
      withMarks(formatNumberToParts(...given), writes);
    const number = (...given: Parameters<typeof formatNumberToParts>) =>
      parts(...given)
        .map(({ value }) => value)
        .join('');
    const quantity = (quantity: number) => number(quantity, { maximumFractionDigits: 3 });
    const before = (much: Decimal, name: string) =>
      beforeName(typeof much === 'string' ? much : quantity(much ?? 0), name);
    const dayOf = (moment: string | Date) => clock.read(moment).slice(0, 10);
    const money = (amount: number) =>
      number(amount, {
        ...(settings
          ? { style: 'currency', currency: settings.currency, currencyDisplay: 'narrowSymbol' }
          : null),
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      });
    const withSign = (amount: number, written: string) =>
      // The word joiner keeps the sign beside a currency.
      amount === 0 ? written : `${amount < 0 ? '−' : '+'}\u2060${written}`;
    return {
      money,
      /** By how much a sum or a quantity changed. */
      signedMoney: (amount: number) => withSign(amount, money(Math.abs(amount))),
      signedQuantity: (much: number) => withSign(much, quantity(Math.abs(much))),
      /** A sum as an axis has room for it: `$1,2 mil`. */
      roughMoney: (amount: number) =>
        parts(amount, {
          ...(settings
            ? { style: 'currency', currency: settings.currency, currencyDisplay: 'narrowSymbol' }
            : null),
          notation: 'compact',
          minimumFractionDigits: 0,
          maximumFractionDigits: 1,
        })
          // Spanish has no K, whatever browsers write for America.
          .map(({ type, value }) =>
            type === 'compact' && /^k$/i.test(value) ? formatMessage({ id: 'number.thousand' }) : value,
          )
          .join(''),
      quantity,
      beforeName: before,
      /** A quantity and what it is of, as it is read aloud: `3 Gasa estéril`. A text that is no number stays as typed. */
      counted: (much: Decimal, name: string) => `${before(much, name)} ${name}`.trimEnd(),
      share: (part: number) => number(part, { style: 'percent', maximumFractionDigits: 1 }),
      /** A change in percent with its sign; a dash if there was nothing before. */
      change: (part: number | undefined) =>
        part === undefined
          ? '—'
          : number(part, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
      /** A calendar day such as `2026-11-21`: no time zone may shift it. */
      day: (day: string) =>
        formatDate(`${day.slice(0, 10)}T00:00:00Z`, { dateStyle: 'medium', timeZone: 'UTC' }),
      /** The same with its weekday: `miércoles, 21 nov 2026`. */
      weekday: (day: string) =>
        [{ weekday: 'long' } as const, { dateStyle: 'medium' } as const]
          .map((part) => formatDate(`${day}T00:00:00Z`, { ...part, timeZone: 'UTC' }))
          .join(', '),
      /** The same without its year: `21 nov`. */
      shortDay: (day: string) =>
        formatDate(`${day}T00:00:00Z`, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
      /** A calendar month such as `2026-11`. */
      month: (month: string) =>
        formatDate(`${month}-01T00:00:00Z`, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
      /** A moment, told in the hospital's own time. */
      moment: (moment: string) =>
        formatDate(clock.at(moment), {
          dateStyle: 'medium',
          timeStyle: 'short',
          hourCycle: 'h23',
          timeZone: clock.timeZone,
        }),
      /** The hour of a moment, in the hospital's own time. */
      time: (moment: string) => formatTime(clock.at(moment), { hourCycle: 'h23', timeZone: clock.timeZone }),
      /** The hospital's calendar day of a moment, written as the server writes days. */
      dayOf,
      /** How old someone is today who was born on that day. */
      age: (born: string) => {
        const age = ageAt(dayOf(new Date()), born);
        return age ? formatNumber(age.value, { style: 'unit', unit: age.unit, unitDisplay: 'long' }) : '';
      },
    };
  }, [formatNumber, formatNumberToParts, formatDate, formatTime, formatMessage, settings, writes, clock]);
}
