import { Button } from '@mantine/core';
import { IconPencilCheck } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { type NoticesView, type NoticeView, useMarkNoticesSeenMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { lazyPart } from '@/shared/ui/lazyPart';
import { addressOf, groupNotices, useNoticeTexts } from '@/topics/sheets/notices/notices';
import classes from './NoticesBar.module.css';

const NoticesDrawer = lazyPart(() => import('./NoticesDrawer'));

/** Tell one change in full, or how many there are. */
export default function NoticesBar({ items: notices, more }: NoticesView) {
  const t = useText();
  const { ofGroup } = useNoticeTexts();
  const [opened, setOpened] = useState(false);
  const [markSeen] = useMarkNoticesSeenMutation();
  const { submit, pending } = useSubmit();
  const [only, ...others] = groupNotices(notices);
  const see = (seen: NoticeView[]) =>
    submit(() => markSeen({ seenDraft: { ids: seen.map(({ id }) => id) } }));
  const isOne = only && others.length === 0;
  return (
    <section className={classes.bar} aria-label={t('notices.title')}>
      <IconPencilCheck size={20} aria-hidden className={classes.icon} />
      <span className={classes.text} data-long={isOne || undefined} role="status">
        {isOne ? ofGroup(only) : t(more ? 'notices.countOver' : 'notices.count', { count: notices.length })}
      </span>
      <span className={classes.buttons}>
        {isOne ? (
          <Button
            component={Link}
            to={addressOf(only.first)}
            variant="default"
            onClick={() => void see(only.notices)}
          >
            {t('notices.see')}
          </Button>
        ) : (
          <Button variant="default" aria-haspopup="dialog" onClick={() => setOpened(true)}>
            {t('notices.see')}
          </Button>
        )}
        <Button variant="subtle" loading={pending} onClick={() => void see(notices)}>
          {t('notices.understood')}
        </Button>
      </span>
      {opened && (
        <Suspense>
          <NoticesDrawer notices={notices} onSee={see} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </section>
  );
}
