import { ActionIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import { lazy, Suspense, useState } from 'react';

/** Whoever shows such a button may load what it opens before it is pressed. */
export const loadMoreMenu = () => import('./OverflowMenu');
const MoreMenu = lazy(loadMoreMenu);

export interface MoreItem {
  label: string;
  /** What it is called where the label alone would not say with what it is done. */
  name?: string;
  icon: Icon;
  /** Where it leads, or what it does. */
  to?: string;
  run?: () => void;
  /** Whether it is on, of something that is turned on and off. */
  checked?: boolean;
  danger?: boolean;
  disabled?: boolean;
  /** Where a button beside this one does the same, it is shown on narrow screens alone. */
  onlyNarrow?: boolean;
}

interface Props {
  /** What else there is to do, and with what. */
  label: string;
  items: MoreItem[];
  /** What all of them are about, above them. */
  about?: string;
  className?: string;
  autoFocus?: boolean;
  /** Something of it is being done. */
  busy?: boolean;
}

/** What is done less often, behind three dots. The menu is loaded when it is first asked for. */
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
