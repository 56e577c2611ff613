import { Link } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import classes from './AppLayout.module.css';
import { Logo } from './Logo';

export function HomeLink({ onClick }: { onClick?: () => void }) {
  const t = useText();
  return (
    <Link to="/" className={classes.home} aria-label={t('nav.home')} onClick={onClick}>
      <Logo />
      <span>Consumo</span>
    </Link>
  );
}
