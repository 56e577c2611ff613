import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { serverNow } from '@/api/serverClock';
import { type HospitalClock, useHospitalClock } from '@/i18n/hospitalClock';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { zonedTimeToIso } from '@/i18n/zonedTimeToIso';
import { Choice } from './Choice';
import type { DetailForm } from './useDetailForm';

const HOUR_MS = 3_600_000;
const OTHER = 'other';

/**
 * Choose the time of use for the next lines.
 *
 * It stays until it is changed back to now.
 */
export function UsedAt({ form, onDone }: { form: DetailForm; onDone: () => void }) {
  const t = useText();
  const format = useFormat();
  const settings = useReadSettingsQuery().data;
  const clock = useHospitalClock();
  const { used_at } = form.values;
  const [asksTime, setAsksTime] = useState(false);
  const now = serverNow();
  const today = format.dayOf(now);
  const at = (moment: string) =>
    format.dayOf(moment) === today
      ? t('details.usedToday', { time: format.time(moment) })
      : t('details.usedOn', { day: format.shortDay(format.dayOf(moment)), time: format.time(moment) });
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString();
  const moments = [
    { value: '', label: t('details.usedNow') },
    { value: ago(1), label: t('details.usedHourAgo') },
    // Night use is often recorded at the end of a shift.
    ...lastStarts(now, settings?.shifts ?? [], clock).map((value) => ({
      value,
      label: at(value),
    })),
    { value: OTHER, label: t('details.usedOther') },
  ];
  return (
    <Choice
      text={used_at ? at(used_at) : t('details.usedNow')}
      about={t('details.used')}
      isMarked={used_at !== null}
      onDone={onDone}
    >
      {(close) => {
        const set = (moment: string | null) => {
          form.setFieldValue('used_at', moment);
          setAsksTime(false);
          close();
        };
        if (asksTime)
          return (
            <TextInput
              type="datetime-local"
              autoFocus
              aria-label={t('details.usedOther')}
              max={clock.read(now).slice(0, 16)}
              onKeyDown={(event) => {
                if (event.key === 'Escape') {
                  // The field is left next, which would apply its time.
                  event.currentTarget.value = '';
                  setAsksTime(false);
                }
                if (event.key !== 'Enter') return;
                event.preventDefault();
                const { value } = event.currentTarget;
                if (value) set(zonedTimeToIso(clock, value));
              }}
              onBlur={({ currentTarget: { value } }) =>
                value ? set(zonedTimeToIso(clock, value)) : setAsksTime(false)
              }
            />
          );
        return (
          <NativeSelect
            aria-label={t('details.used')}
            autoFocus
            defaultValue=""
            data={[...(used_at ? [{ value: used_at, label: at(used_at) }] : []), ...moments]}
            onChange={({ currentTarget: { value } }) =>
              value === OTHER ? setAsksTime(true) : set(value || null)
            }
          />
        );
      }}
    </Choice>
  );
}

/** Return the last three starts of a shift, the latest first. */
function lastStarts(now: Date, shifts: string[], clock: HospitalClock): string[] {
  const days = [now, new Date(now.getTime() - 24 * HOUR_MS)].map((moment) => clock.read(moment).slice(0, 10));
  return days
    .flatMap((day) => shifts.map((start) => zonedTimeToIso(clock, `${day}T${start}`)))
    .filter((moment) => Date.parse(moment) <= now.getTime())
    .sort()
    .toReversed()
    .slice(0, 3);
}
