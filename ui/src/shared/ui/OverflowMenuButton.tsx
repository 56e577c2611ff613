import { Suspense, startTransition, useState } from 'react';
import { lazyPart } from './lazyPart';
import { MenuButton, type MenuButtonProps } from './MenuButton';
import type { MoreItem } from './OverflowMenu';

/** Load the menu. A page with such a button may call it in advance. */
export const loadMoreMenu = () => import('./OverflowMenu');
const MoreMenu = lazyPart(loadMoreMenu);

interface Props extends MenuButtonProps {
  items: MoreItem[];
  /** Heading of the menu: the record that its items are about. */
  about?: string;
}

/**
 * Menu for less frequent actions behind three dots, or of choices behind a text.
 *
 * The menu is loaded on the first click. Until then, the button that was pressed stays, with its focus.
 */
export function OverflowMenuButton({ items, about, ...look }: Props) {
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  const button = (
    <MenuButton
      {...look}
      aria-haspopup="menu"
      onClick={() => {
        setOpened(true);
        startTransition(() => setWanted(true));
      }}
    />
  );
  return (
    <Suspense fallback={button}>
      {wanted ? <MoreMenu {...look} {...{ items, about, opened }} onChange={setOpened} /> : button}
    </Suspense>
  );
}
