import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconDots, IconLogout } from '@tabler/icons-react';
import { Suspense, useEffect, useId, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { fullName } from '@/shared/records/fullName';
import { lazyPart } from '@/shared/ui/lazyPart';
import { useFirstInteraction } from '@/shared/ui/useFirstInteraction';
import { useOneTabStop } from '@/shared/ui/useOneTabStop';
import { useSignOut } from '@/topics/accounts/useSignOut';
import { useWorklistCount } from '@/topics/ward/worklist/useWorklistCount';
import { groups, type NavigationLink, usePermittedNavigation } from '../navigation/navigation';
import classes from './AppLayout.module.css';

const loadAccountMenu = () => import('./AccountMenu');
const AccountMenu = lazyPart(loadAccountMenu);

interface Props {
  onShortcuts: () => void;
  /** Called after the user chose something here. */
  onLeave?: () => void;
}

/** Main navigation and account, beside the page or in the drawer. */
export function Sidebar({ onShortcuts, onLeave }: Props) {
  const t = useText();
  const { user } = useSession();
  const { signOut, dialog } = useSignOut();
  const touched = useFirstInteraction();
  const places = usePermittedNavigation();
  const { pathname } = useLocation();
  const oneTabStop = useOneTabStop<HTMLElement>();
  const [opened, setOpened] = useState(false);
  // The menu brings a button of its own, which replaces this one. Swap them only after a click: a swap during the
  // press would lose it.
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (touched) loadAccountMenu().catch(() => {}); // loaded again when needed
  }, [touched]);
  if (!user) return null;
  const menuButton = (
    <ActionIcon
      className={classes.leave}
      aria-haspopup="menu"
      aria-expanded={opened}
      aria-label={t('nav.account')}
      title={t('nav.account')}
      onClick={() => {
        setAsked(true);
        setOpened(!opened);
      }}
    >
      <IconDots size={20} aria-hidden />
    </ActionIcon>
  );
  const account = asked ? (
    <Suspense fallback={menuButton}>
      <AccountMenu opened={opened} setOpened={setOpened} onShortcuts={onShortcuts} onLeave={onLeave}>
        {menuButton}
      </AccountMenu>
    </Suspense>
  ) : (
    menuButton
  );
  return (
    <>
      <nav className={classes.places} aria-label={t('nav.main')} {...oneTabStop}>
        {Object.entries(groups).map(([group, label]) => (
          <Group
            key={group}
            label={t(label)}
            places={places.filter((place) => place.group === group)}
            onLeave={onLeave}
          />
        ))}
      </nav>
      <section className={classes.person} aria-label={t('nav.account')}>
        <UnstyledButton
          component={Link}
          to="/users/account"
          aria-current={pathname === '/users/account' ? 'page' : undefined}
          className={`${classes.link} ${classes.accountLink}`}
          onClick={onLeave}
        >
          <span className={classes.account}>{user.profile ? fullName(user.profile) : user.email}</span>
        </UnstyledButton>
        {account}
        <ActionIcon
          className={classes.leave}
          onClick={signOut}
          aria-label={t('session.signOut')}
          title={t('session.signOut')}
        >
          <IconLogout size={20} aria-hidden />
        </ActionIcon>
        {dialog}
      </section>
    </>
  );
}

function Group(props: { label: string; places: NavigationLink[]; onLeave?: () => void }) {
  const { label, places, onLeave } = props;
  const id = useId();
  if (places.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form
    <div role="group" aria-labelledby={id} className={classes.group}>
      <div id={id} className={classes.groupName}>
        {label}
      </div>
      {places.map((link) => (
        <PlaceLink key={link.to} link={link} onLeave={onLeave} />
      ))}
    </div>
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
      {link.hasCount && <WorklistCount />}
    </UnstyledButton>
  );
}

function WorklistCount() {
  const format = useFormat();
  const count = useWorklistCount();
  return count ? <span className={classes.count}>{format.quantity(count)}</span> : null;
}
