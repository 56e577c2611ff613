import { Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type Icon, IconCheck } from '@tabler/icons-react';
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { MenuButton, type MenuButtonProps } from './MenuButton';
import classes from './OverflowMenu.module.css';
import { useReturnState } from './useReturnPath';

export interface MoreItem {
  label: string;
  /** Accessible name, if the label alone does not say which record it acts on. */
  name?: string;
  icon?: Icon;
  /** The link or the action. */
  to?: string;
  run?: () => void;
  /** Whether a toggle is on. */
  checked?: boolean;
  /** Whether it is the chosen one of several. */
  chosen?: boolean;
  danger?: boolean;
  disabled?: boolean;
  /** Only shown on narrow screens; on others a button beside the menu does the same. */
  onlyNarrow?: boolean;
}

interface Props extends MenuButtonProps {
  items: MoreItem[];
  about?: string;
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/** The menu of `OverflowMenuButton`, loaded on the first click. */
export default function MoreMenu({ items, about, opened, onChange, ...button }: Props) {
  // This button replaces the one that was pressed and takes its focus, so that Escape returns to it.
  const target = useRef<HTMLButtonElement>(null);
  const [ready, setReady] = useState(false);
  const isWide = useMediaQuery('(min-width: 64em)', false, { getInitialValueInEffect: false });
  // The first item gets the focus, so none may be hidden.
  const shown = items.filter(({ onlyNarrow }) => !isWide || !onlyNarrow);
  const begin = useEffectEvent(() => {
    setReady(true);
    // A person or a scanner that typed meanwhile is in a field, and no menu may take the rest of those keys.
    if (document.activeElement?.matches('input, textarea')) onChange(false);
    else target.current?.focus({ preventScroll: true });
  });
  // Before anything else sees that the pressed button is gone.
  useLayoutEffect(() => begin(), []);
  return (
    <Menu
      opened={opened && ready}
      onChange={onChange}
      position="bottom-end"
      shadow="md"
      hideDetached={false}
      // Mantine's focus placeholder is not a menu item, and a menu may only contain items. The first item gets the
      // focus.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <MenuButton
          {...button}
          ref={target}
          // The menu hears Escape only once one of its items has the focus. The row around it must not leave, too.
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !opened) return;
            event.preventDefault();
            onChange(false);
          }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={button.label} className={classes.menu}>
        {about && (
          <Menu.Label role="presentation" className={classes.about}>
            {about}
          </Menu.Label>
        )}
        {shown.map((item) => (
          <Item key={item.label} {...item} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Item({ label, name, icon: Icon, to, run, checked, chosen, danger, disabled }: MoreItem) {
  const here = useReturnState();
  const look = {
    className: classes.item,
    'aria-label': name,
    leftSection: Icon && <Icon size={20} aria-hidden />,
  };
  if (to !== undefined)
    return (
      <Menu.Item {...look} component={Link} to={to} state={here}>
        {label}
      </Menu.Item>
    );
  if (chosen !== undefined)
    return (
      <Menu.RadioItem
        className={classes.item}
        value={label}
        checked={chosen}
        onChange={run}
        checkIcon={<IconCheck size={18} aria-hidden />}
        closeMenuOnClick
      >
        {label}
      </Menu.RadioItem>
    );
  if (checked !== undefined)
    return (
      <Menu.CheckboxItem className={classes.item} checked={checked} onChange={run} closeMenuOnClick>
        {label}
      </Menu.CheckboxItem>
    );
  return (
    <Menu.Item {...look} color={danger ? 'red' : undefined} disabled={disabled} onClick={run}>
      {label}
    </Menu.Item>
  );
}
