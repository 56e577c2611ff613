import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from './lazyPart';
import type { MoreItem } from './OverflowMenu';

/** Load the menu. A page with such a button may call it in advance. */
export const loadMoreMenu = () => import('./OverflowMenu');
const MoreMenu = lazyPart(loadMoreMenu);

interface Props {
  /** Accessible name of the button, with the record it is about. */
  label: string;
  items: MoreItem[];
  /** Heading of the menu: the record that its items are about. */
  about?: string;
  className?: string;
  tabIndex?: number;
  /** One of the actions is running. */
  busy?: boolean;
}

/**
 * Overflow menu for less frequent actions, behind three dots.
 *
 * The menu is loaded on the first click.
 */
export function OverflowMenuButton({ label, items, about, className, tabIndex, busy }: Props) {
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  const button = (
    <ActionIcon
      className={className}
      aria-label={label}
      aria-haspopup="menu"
      title={label}
      tabIndex={tabIndex}
      loading={busy}
      onClick={() => {
        setWanted(true);
        setOpened(true);
      }}
    >
      <IconDots size={20} aria-hidden />
    </ActionIcon>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <MoreMenu {...{ label, items, about, className, tabIndex, busy, opened }} onChange={setOpened} />
    </Suspense>
  );
}
