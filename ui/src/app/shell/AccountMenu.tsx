import { Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconBarcode,
  IconKeyboard,
  IconLanguage,
  IconLock,
  IconSchool,
  IconSettings,
  IconStack2,
  IconUserCircle,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import { type ReactElement, useState } from 'react';
import { Link } from 'react-router-dom';
import { useLanguage } from '@/i18n/LanguageProvider';
import { LANGUAGES, ownName } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { sounds } from '@/scan/signals';
import { locked } from '@/session/session';
import { useCan } from '@/session/useCan';
import { useAppDispatch, useAppSelector } from '@/state/storeHooks';
import classes from './AppLayout.module.css';
import { schemes } from './SchemeSwitch';

interface Props {
  /** The button that opens the menu. */
  children: ReactElement;
  opened: boolean;
  setOpened: (opened: boolean) => void;
  onShortcuts: () => void;
  onLeave?: () => void;
}

/** The user's own menu: account, profile, language and appearance. */
export default function AccountMenu({ children, opened, setOpened, onShortcuts, onLeave }: Props) {
  const t = useText();
  const { language, setLanguage } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const dispatch = useAppDispatch();
  const isAway = useAppSelector(({ outbox }) => outbox.unreachableSince !== null);
  const mayOpenProfile = useCan('profile.link');
  const mayKeepKits = useCan('kits.own');
  const mayPractise = useCan('details.add');
  const [hasSounds, setHasSounds] = useState(sounds.areOn);
  const SoundIcon = hasSounds ? IconVolume : IconVolumeOff;
  const { Icon, label, next } = schemes[colorScheme];
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="top-end"
      withinPortal={false}
      hideDetached={false}
      // Mantine's focus placeholder is not a menu item, and a menu may only contain items. The first item gets the
      // focus.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={classes.accountMenu}>
        <Menu.Item
          component={Link}
          to="/users/account"
          leftSection={<IconSettings size={20} aria-hidden />}
          onClick={onLeave}
        >
          {t('account.title')}
        </Menu.Item>
        {mayOpenProfile && (
          <Menu.Item
            component={Link}
            to="/auth/profile"
            leftSection={<IconUserCircle size={20} aria-hidden />}
            onClick={onLeave}
          >
            {t('profile.title')}
          </Menu.Item>
        )}
        {mayKeepKits && (
          <Menu.Item
            component={Link}
            to="/users/account/kits"
            leftSection={<IconStack2 size={20} aria-hidden />}
            onClick={onLeave}
          >
            {t('kits.mine')}
          </Menu.Item>
        )}
        {mayPractise && (
          <Menu.Item
            component={Link}
            to="/practice"
            leftSection={<IconSchool size={20} aria-hidden />}
            onClick={onLeave}
          >
            {t('practice.start')}
          </Menu.Item>
        )}
        <Menu.Item
          component={Link}
          to="/users/account/reader"
          leftSection={<IconBarcode size={20} aria-hidden />}
          onClick={onLeave}
        >
          {t('scannerTest.title')}
        </Menu.Item>
        <Menu.Item
          className={classes.keyboardOnly}
          leftSection={<IconKeyboard size={20} aria-hidden />}
          onClick={onShortcuts}
        >
          {t('shortcuts.title')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon size={20} aria-hidden />}
          closeMenuOnClick={false}
          onClick={() => setColorScheme(next)}
        >
          {t(label)}
        </Menu.Item>
        <Menu.Item
          leftSection={<SoundIcon size={20} aria-hidden />}
          closeMenuOnClick={false}
          onClick={() => {
            sounds.turn(!hasSounds);
            setHasSounds(!hasSounds);
          }}
        >
          {t(hasSounds ? 'sounds.turnOff' : 'sounds.turnOn')}
        </Menu.Item>
        {LANGUAGES.filter((other) => other !== language).map((other) => (
          <Menu.Item
            key={other}
            lang={other}
            leftSection={<IconLanguage size={20} aria-hidden />}
            onClick={() => setLanguage(other)}
          >
            {ownName(other)}
          </Menu.Item>
        ))}
        {/* Without the server it could not be unlocked. */}
        {!isAway && (
          <Menu.Item
            leftSection={<IconLock size={20} aria-hidden />}
            onClick={() => {
              onLeave?.();
              dispatch(locked());
            }}
          >
            {t('unlock.lock')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
