import type { ChangeHospitalSettingsApiArg, HospitalSettingsView } from '@/api/generated';
import type { Decimal } from '@/i18n/decimal';

/** Return the form's values: several lines or times are one text. */
export const valuesOf = ({ version, logo_version, fixed, ...settings }: HospitalSettingsView) => ({
  ...settings,
  address: settings.address.join('\n'),
  letterhead: settings.letterhead.join('\n'),
  idle_minutes: settings.idle_minutes as Decimal,
  ask_above_total: settings.ask_above_total as Decimal,
  shift_starts: settings.shift_starts.join(', '),
});

export type HospitalValues = ReturnType<typeof valuesOf>;

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
