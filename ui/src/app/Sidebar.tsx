import { NavLink, Stack, Text } from '@mantine/core';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconUserCircle from '@tabler/icons-react/dist/esm/icons/IconUserCircle.mjs';
import { NavLink as RouterLink } from 'react-router-dom';
import { fullName } from '@/components/fullName';
import { LanguageSwitch } from '@/components/LanguageSwitch';
import { SchemeSwitch } from '@/components/SchemeSwitch';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { useSignOut } from '@/session/useSignOut';
import classes from './AppLayout.module.css';
import { type NavigationLink, navigation } from './navigation';

/** Main navigation and account, beside the page or in the drawer. */
export function Sidebar({ onLeave }: { onLeave?: () => void }) {
  const t = useText();
  const { user } = useSession();
  const signOut = useSignOut();
  const mayOpenProfile = useCan('profile.link');
  if (!user) return null;
  return (
    <>
      <Stack component="nav" gap={4} aria-label={t('nav.main')}>
        {navigation.map((link) => (
          <PermittedLink key={link.to} link={link} onLeave={onLeave} />
        ))}
      </Stack>
      <Stack component="section" gap={4} mt="auto" pt="md" aria-label={t('nav.account')}>
        <div className={classes.person}>
          {user.profile && (
            <Text fw={600} truncate>
              {fullName(user.profile)}
            </Text>
          )}
          <Text size="sm" c="dimmed" truncate>
            {user.email}
          </Text>
        </div>
        {mayOpenProfile && (
          <NavLink
            component={RouterLink}
            to="/auth/profile"
            label={t('profile.title')}
            leftSection={<IconUserCircle size={20} aria-hidden />}
            onClick={onLeave}
          />
        )}
        <LanguageSwitch justify="flex-start" px="sm" fw={400} />
        <SchemeSwitch justify="flex-start" px="sm" fw={400} />
        <NavLink
          component="button"
          label={t('session.signOut')}
          leftSection={<IconLogout size={20} aria-hidden />}
          onClick={signOut}
        />
      </Stack>
    </>
  );
}

function PermittedLink({ link, onLeave }: { link: NavigationLink; onLeave?: () => void }) {
  const t = useText();
  const { icon: Icon, to, end, label, permission } = link;
  if (!useCan(permission)) return null;
  return (
    <NavLink
      component={RouterLink}
      to={to}
      end={end}
      label={t(label)}
      leftSection={<Icon size={20} aria-hidden />}
      onClick={onLeave}
      className={classes.link}
    />
  );
}
