import { useText } from '@/i18n/useText';
import classes from './DemonstrationBanner.module.css';
import { useHospital } from './useHospital';

/** Line above every page of the demonstration. */
export function DemonstrationBanner() {
  const t = useText();
  const { isDemonstration } = useHospital();
  if (!isDemonstration) return null;
  return (
    <aside className={classes.banner} aria-label={t('demonstration.warning')} data-demonstration>
      {t('demonstration.warning')}
    </aside>
  );
}
