import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { Suspense, useCallback, useState } from 'react';
import { Outlet, ScrollRestoration } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import { ScannerProvider } from '@/scan/ScannerProvider';
import { ConfirmProvider } from '@/shared/dialogs/Confirm';
import { HelpButton } from '@/shared/ui/HelpButton';
import { lazyPart } from '@/shared/ui/lazyPart';
import { OpenMenuContext } from '@/shared/ui/menuContext';
import { OpenGlobalSearchContext, SearchButton } from '@/shared/ui/SearchButton';
import { useFirstInteraction } from '@/shared/ui/useFirstInteraction';
import { Shortcuts } from '../navigation/Shortcuts';
import { Notices } from '../notices/Notices';
import { GlobalSearch } from '../search/GlobalSearch';
import { UnsentBar } from '../unsent/UnsentBar';
import { useOutboxRunning } from '../unsent/useOutboxRunning';
import classes from './AppLayout.module.css';
import { Breadcrumbs } from './Breadcrumbs';
import { HomeLink } from './HomeLink';
import { LazyTimeZoneBanner } from './LazyTimeZoneBanner';
import { Sidebar } from './Sidebar';
import { useStrayScan } from './useStrayScan';
import './clampedTextTitle';

const MenuDrawer = lazyPart(() => import('./MenuDrawer'));

export function AppLayout() {
  const t = useText();
  const touched = useFirstInteraction();
  useOutboxRunning();
  const [menuOpen, menu] = useDisclosure();
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  const [searchOpen, setSearchOpen] = useState(false);
  const openSearch = useCallback(() => setSearchOpen(true), []);
  const showShortcuts = () => setShortcutsOpen(true);
  const onScan = useStrayScan();
  return (
    <ConfirmProvider>
      <ScannerProvider onScan={onScan}>
        <a href="#content" className={classes.skip}>
          {t('nav.skip')}
        </a>
        <OpenGlobalSearchContext value={openSearch}>
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
              <Breadcrumbs />
              <SearchButton className={classes.find} />
              <HelpButton />
            </header>
            <div className={classes.unsent}>
              <LazyTimeZoneBanner />
              <UnsentBar />
              <Notices />
            </div>
            <main id="content" tabIndex={-1} className={classes.main}>
              <OpenMenuContext value={menu.open}>
                <Outlet />
              </OpenMenuContext>
            </main>
          </div>
        </OpenGlobalSearchContext>
        <Suspense>
          {(touched || menuOpen) && (
            <MenuDrawer opened={menuOpen} onClose={menu.close} onShortcuts={showShortcuts} />
          )}
        </Suspense>
        <Shortcuts opened={shortcutsOpen} setOpened={setShortcutsOpen} />
        <GlobalSearch opened={searchOpen} setOpened={setSearchOpen} />
        <ScrollRestoration />
      </ScannerProvider>
    </ConfirmProvider>
  );
}
