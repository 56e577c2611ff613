import { ActionIcon, Text, UnstyledButton } from '@mantine/core';
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import IconUserCircle from '@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs';
import { Link, useLocation } from 'react-router-dom';
import { fullName } from '@/components/fullName';
import { LanguageSwitch } from '@/components/LanguageSwitch';
import { SchemeSwitch } from '@/components/SchemeSwitch';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { useSignOut } from '@/session/useSignOut';
import classes from './AppLayout.module.css';
import { type NavigationLink, usePermittedNavigation } from './navigation';

interface Props {
  onShortcuts: () => void;
  /** Called when something was chosen here. */
  onLeave?: () => void;
}

const ACCOUNT = '/users/account';

/** Main navigation and account, beside the page or in the drawer. */
export function Sidebar({ onShortcuts, onLeave }: Props) {
  const t = useText();
  const { user } = useSession();
  const signOut = useSignOut();
  const places = usePermittedNavigation();
  const { pathname } = useLocation();
  const mayOpenProfile = useCan('profile.link');
  if (!user) return null;
  return (
    <>
      <nav className={classes.places} aria-label={t('nav.main')}>
        {places.map((link) => (
          <PlaceLink key={link.to} link={link} onLeave={onLeave} />
        ))}
      </nav>
      <section className={classes.person} aria-label={t('nav.account')}>
        <UnstyledButton
          component={Link}
          to={ACCOUNT}
          aria-current={pathname === ACCOUNT ? 'page' : undefined}
          className={classes.link}
          onClick={onLeave}
        >
          <IconSettings size={20} aria-hidden />
          <span className={classes.account}>
            <Text span inherit fw={600}>
              {user.profile ? fullName(user.profile) : user.email}
            </Text>
            <span className={classes.what}>{t('account.title')}</span>
          </span>
        </UnstyledButton>
        {mayOpenProfile && (
          <UnstyledButton component={Link} to="/auth/profile" className={classes.link} onClick={onLeave}>
            <IconUserCircle size={20} aria-hidden />
            <span>{t('profile.title')}</span>
          </UnstyledButton>
        )}
        <div className={classes.choices}>
          <LanguageSwitch className={classes.choice} fw={400} />
          <SchemeSwitch iconOnly />
          <ActionIcon
            className={classes.keyboardOnly}
            onClick={onShortcuts}
            aria-label={t('shortcuts.title')}
            title={t('shortcuts.title')}
          >
            <IconKeyboard size={20} aria-hidden />
          </ActionIcon>
        </div>
        <UnstyledButton className={`${classes.link} ${classes.leave}`} onClick={signOut}>
          <IconLogout size={20} aria-hidden />
          <span>{t('session.signOut')}</span>
        </UnstyledButton>
      </section>
    </>
  );
}

function PlaceLink({ link, onLeave }: { link: NavigationLink; onLeave?: () => void }) {
  const t = useText();
  const { pathname } = useLocation();
  const { icon: Icon, to, at, label } = link;
  const here = at ? at.test(pathname) : pathname === to || pathname.startsWith(`${to}/`);
  return (
    <UnstyledButton
      component={Link}
      to={to}
      aria-current={here ? 'page' : undefined}
      className={classes.link}
      onClick={onLeave}
    >
      <Icon size={20} aria-hidden />
      <span>{t(label)}</span>
    </UnstyledButton>
  );
}
