import type { ChangeHospitalSettingsApiArg, HospitalSettingsView } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';

/** The form's values: several lines or times are one text. */
export interface HospitalValues {
  name: string;
  address: string;
  tax_number: string;
  letterhead: string;
  time_zone: string;
  currency: string;
  number_format: string;
  idle_minutes: Decimal;
  ask_above_total: Decimal;
  shift_starts: string;
}

export const valuesOf = (settings: HospitalSettingsView): HospitalValues => ({
  name: settings.name,
  address: settings.address.join('\n'),
  tax_number: settings.tax_number,
  letterhead: settings.letterhead.join('\n'),
  time_zone: settings.time_zone,
  currency: settings.currency,
  number_format: settings.number_format,
  idle_minutes: settings.idle_minutes,
  ask_above_total: settings.ask_above_total,
  shift_starts: settings.shift_starts.join(', '),
});

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim());

/** Convert validated values to the request body. */
export const draftOf = (values: HospitalValues): ChangeHospitalSettingsApiArg['hospitalDraft'] => ({
  ...values,
  address: linesOf(values.address),
  letterhead: linesOf(values.letterhead),
  idle_minutes: values.idle_minutes as number,
  ask_above_total: values.ask_above_total as number,
  // 7:30 is 07:30.
  shift_starts: values.shift_starts
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((start) => start.replace(/^(\d):/, '0$1:')),
});
