import { Button, Drawer, Group } from '@mantine/core';
import type { NoticeView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import frame from '@/shared/dialogs/sideDrawer.module.css';
import { useEscape } from '@/shared/dialogs/useEscape';
import { useReturnFocus } from '@/shared/dialogs/useReturnFocus';
import { NoticeList } from '@/topics/sheets/notices/NoticeList';
import classes from './NoticesDrawer.module.css';

interface Props {
  notices: NoticeView[];
  onSee: (seen: NoticeView[]) => unknown;
  onClose: () => void;
}

/** List what others changed, the latest first. Opening a sheet marks its notices as seen. */
export default function NoticesDrawer({ notices, onSee, onClose }: Props) {
  useEscape(true, onClose);
  useReturnFocus(true);
  const t = useText();
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={440}>
      <Drawer.Overlay />
      <Drawer.Content classNames={{ content: frame.content }} radius={0}>
        <Drawer.Body className={frame.body}>
          <div className={frame.head}>
            <Drawer.Title className={frame.title}>{t('notices.title')}</Drawer.Title>
            <Drawer.CloseButton aria-label={t('action.close')} />
          </div>
          <div className={classes.notices}>
            <NoticeList
              notices={notices}
              onOpen={(seen) => {
                onSee(seen);
                onClose();
              }}
            />
          </div>
          <Group className={frame.foot} justify="flex-end">
            <Button
              onClick={() => {
                onSee(notices);
                onClose();
              }}
            >
              {t('notices.understood')}
            </Button>
          </Group>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
