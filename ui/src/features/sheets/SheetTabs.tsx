import { Link } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import classes from './SheetTabs.module.css';

/** The two lists of sheets, beside one another: a sheet is in one of them. */
export function SheetTabs({ closed }: { closed: boolean }) {
  const t = useText();
  return (
    <nav className={classes.tabs} aria-label={t('sheets.lists')}>
      <Link to="/consumption-sheets" aria-current={closed ? undefined : 'page'}>
        {t('sheets.toOpen')}
      </Link>
      <Link to="/consumption-sheets/closed" aria-current={closed ? 'page' : undefined}>
        {t('sheets.closed.title')}
      </Link>
    </nav>
  );
}
