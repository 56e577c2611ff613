import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { useHospitalClock } from '@/i18n/hospitalClock';
import { useText } from '@/i18n/useText';
import classes from './DemonstrationBanner.module.css';

/** Line above every page in a browser that is older than the hospital's time zone. */
export default function TimeZoneBanner() {
  const t = useText();
  const { data } = useReadSettingsQuery();
  const { isKnown, offsetMinutes } = useHospitalClock();
  if (isKnown || !data) return null;
  return (
    <aside className={classes.banner}>
      {t('timeZone.unknown', { zone: data.time_zone, offset: written(offsetMinutes) })}
    </aside>
  );
}

/** Write an offset from UTC as `UTC−06:00`. */
function written(minutes: number) {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (value: number) => `${value}`.padStart(2, '0');
  return `UTC${minutes < 0 ? '−' : '+'}${two(hours)}:${two(rest)}`;
}
