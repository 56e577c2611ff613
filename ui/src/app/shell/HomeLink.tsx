import { VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import classes from './AppLayout.module.css';
import { Logo } from './Logo';
import { useHospital } from './useHospital';

export function HomeLink({ onClick }: { onClick?: () => void }) {
  const t = useText();
  const { name, logo } = useHospital();
  return (
    <Link to="/" className={classes.home} onClick={onClick}>
      {logo ? <img className={classes.homeLogo} src={logo} alt="" /> : <Logo />}
      <span className={classes.homeNames}>
        <span>Consumo</span>
        {name && (
          <span className={classes.homeHospital} title={name}>
            {name}
          </span>
        )}
        <VisuallyHidden>{t('nav.home')}</VisuallyHidden>
      </span>
    </Link>
  );
}
