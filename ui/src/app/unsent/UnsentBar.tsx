import { UnstyledButton } from '@mantine/core';
import { IconCloudUp } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import { serverNow } from '@/api/serverClock';
import { useText } from '@/i18n/useText';
import { isUnsent, isWaiting } from '@/outbox/outboxSlice';
import { lazyPart } from '@/shared/ui/lazyPart';
import { useFirstInteraction } from '@/shared/ui/useFirstInteraction';
import { useAppSelector } from '@/state/storeHooks';
import classes from './UnsentBar.module.css';

const loadDrawer = () => import('./UnsentDrawer');
const UnsentDrawer = lazyPart(loadDrawer);

/** Refresh interval of the displayed age, in milliseconds. */
const TOLD_ANEW = 30_000;
/** Grace period before the bar appears, in minutes: entries are usually recorded sooner. */
const USUAL = 0.5;
/** The bar turns red after this time, in minutes, because someone should look into it. */
const LONG = 30;

/**
 * Bar with the number and age of the device's unsent entries.
 *
 * It is shown on every page while there are any.
 */
export function UnsentBar() {
  const t = useText();
  const { formatRelativeTime } = useIntl();
  const { lines, others, unreachableSince, isHeldUp } = useAppSelector(({ outbox }) => outbox);
  const [opened, setOpened] = useState(false);
  const [now, setNow] = useState(serverNow);
  const touched = useFirstInteraction();
  useEffect(() => {
    const timer = window.setInterval(() => setNow(serverNow()), TOLD_ANEW);
    return () => window.clearInterval(timer);
  }, []);
  useEffect(() => {
    // Preload the drawer: it could not be loaded while offline.
    if (touched) loadDrawer().catch(() => {});
  }, [touched]);

  const unsent = lines.filter(isUnsent);
  const oldest = Math.min(...unsent.map(({ occurredAt }) => Date.parse(occurredAt)));
  const minutes = Math.max(0, (now.getTime() - oldest) / 60_000);
  const isRefused = unsent.some((line) => !isWaiting(line));
  const isTold = unsent.length > 0 && (isRefused || unreachableSince !== null || isHeldUp || minutes > USUAL);
  if (!isTold && others.length === 0 && !opened) return null;

  const [amount, unit] =
    minutes < 60
      ? ([minutes, 'minute'] as const)
      : minutes < 48 * 60
        ? ([minutes / 60, 'hour'] as const)
        : ([minutes / 1440, 'day'] as const);
  const ago = formatRelativeTime(-Math.floor(amount), unit, { style: 'short' });
  return (
    <>
      <UnstyledButton
        className={classes.bar}
        data-tone={!isTold ? undefined : isRefused || minutes >= LONG ? 'red' : 'amber'}
        onClick={() => setOpened(true)}
        aria-haspopup="dialog"
      >
        <IconCloudUp size={18} aria-hidden />
        <span>
          {isTold
            ? minutes < 1
              ? t('outbox.unsentNow', { count: unsent.length })
              : t('outbox.unsent', { count: unsent.length, ago })
            : others.map(({ name, count }) => t('outbox.others', { name, count })).join(' · ')}
        </span>
      </UnstyledButton>
      {opened && (
        <Suspense>
          <UnsentDrawer unsent={unsent} others={others} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
