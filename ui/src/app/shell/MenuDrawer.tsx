import { Drawer } from '@mantine/core';
import { useText } from '@/i18n/useText';
import { useEscape } from '@/shared/dialogs/useEscape';
import { useReturnFocus } from '@/shared/dialogs/useReturnFocus';
import { HomeLink } from './HomeLink';
import classes from './MenuDrawer.module.css';
import { Sidebar } from './Sidebar';

interface Props {
  opened: boolean;
  onClose: () => void;
  onShortcuts: () => void;
}

/** The navigation as a drawer, for screens without room for the sidebar. */
export default function MenuDrawer({ opened, onClose, onShortcuts }: Props) {
  useEscape(opened, onClose);
  useReturnFocus(opened);
  const t = useText();
  return (
    <Drawer.Root opened={opened} onClose={onClose} size={300}>
      <Drawer.Overlay />
      <Drawer.Content classNames={{ content: classes.drawer }} radius={0}>
        <Drawer.Body className={classes.body}>
          <div className={classes.head}>
            <Drawer.Title component="div">
              <HomeLink onClick={onClose} />
            </Drawer.Title>
            <Drawer.CloseButton aria-label={t('nav.closeMenu')} />
          </div>
          <Sidebar onShortcuts={onShortcuts} onLeave={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
