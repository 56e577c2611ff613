import { ActionIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import { Suspense, useState } from 'react';
import { lazyPart } from './lazyPart';

/** Load the menu. A page with such a button may call it in advance. */
export const loadMoreMenu = () => import('./OverflowMenu');
const MoreMenu = lazyPart(loadMoreMenu);

export interface MoreItem {
  label: string;
  /** Accessible name, if the label alone does not say which record it acts on. */
  name?: string;
  icon: Icon;
  /** The link or the action. */
  to?: string;
  run?: () => void;
  /** Whether a toggle is on. */
  checked?: boolean;
  danger?: boolean;
  disabled?: boolean;
  /** Only shown on narrow screens; on others a button beside the menu does the same. */
  onlyNarrow?: boolean;
}

interface Props {
  /** Accessible name of the button, with the record it is about. */
  label: string;
  items: MoreItem[];
  /** Heading of the menu: the record that its items are about. */
  about?: string;
  className?: string;
  autoFocus?: boolean;
  /** One of the actions is running. */
  busy?: boolean;
}

/**
 * Overflow menu for less frequent actions, behind three dots.
 *
 * The menu is loaded on the first click.
 */
export function OverflowMenuButton({ label, items, about, className, autoFocus, busy }: Props) {
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  const button = (
    <ActionIcon
      className={className}
      aria-label={label}
      aria-haspopup="menu"
      title={label}
      autoFocus={autoFocus}
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
      <MoreMenu {...{ label, items, about, className, busy, opened }} onChange={setOpened} />
    </Suspense>
  );
}
