import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs';
import { useState } from 'react';
import { Link, Outlet, ScrollRestoration } from 'react-router-dom';
import { ConfirmProvider } from '@/components/Confirm';
import { Logo } from '@/components/Logo';
import { useText } from '@/i18n/useText';
import classes from './AppLayout.module.css';
import './mantineShell';
import { PathTitle } from './PathTitle';
import { Shortcuts } from './Shortcuts';
import { Sidebar } from './Sidebar';

export function AppLayout() {
  const t = useText();
  const [menuOpen, menu] = useDisclosure();
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  const showShortcuts = () => setShortcutsOpen(true);
  return (
    <ConfirmProvider>
      <a href="#content" className={classes.skip}>
        {t('nav.skip')}
      </a>
      <div className={classes.shell}>
        <aside className={classes.aside}>
          <HomeLink />
          <Sidebar onShortcuts={showShortcuts} />
        </aside>
        <header className={classes.header}>
          <ActionIcon
            className={classes.menu}
            onClick={menu.open}
            aria-label={t('nav.menu')}
            aria-expanded={menuOpen}
          >
            <IconMenu2 aria-hidden />
          </ActionIcon>
          <PathTitle />
        </header>
        <main id="content" tabIndex={-1} className={classes.main}>
          <Outlet />
        </main>
      </div>
      <Drawer.Root opened={menuOpen} onClose={menu.close} size={300}>
        <Drawer.Overlay />
        <Drawer.Content classNames={{ content: classes.drawer }} radius={0}>
          <Drawer.Body className={classes.drawerBody}>
            <div className={classes.drawerHead}>
              <Drawer.Title component="div">
                <HomeLink onClick={menu.close} />
              </Drawer.Title>
              <Drawer.CloseButton aria-label={t('nav.closeMenu')} />
            </div>
            <Sidebar onShortcuts={showShortcuts} onLeave={menu.close} />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      <Shortcuts opened={shortcutsOpen} setOpened={setShortcutsOpen} />
      <ScrollRestoration />
    </ConfirmProvider>
  );
}

function HomeLink({ onClick }: { onClick?: () => void }) {
  const t = useText();
  return (
    <Link to="/" className={classes.home} aria-label={t('nav.home')} onClick={onClick}>
      <Logo />
      Consumo
    </Link>
  );
}
