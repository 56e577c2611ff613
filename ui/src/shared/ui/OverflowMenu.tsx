import { ActionIcon, Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type Icon, IconDots } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import classes from './OverflowMenu.module.css';

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
  label: string;
  items: MoreItem[];
  about?: string;
  className?: string;
  tabIndex?: number;
  busy?: boolean;
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/** The menu of `OverflowMenuButton`, loaded on the first click. */
export default function MoreMenu(props: Props) {
  const { label, items, about, className, tabIndex, busy, opened, onChange } = props;
  // This button replaces the one that was pressed and takes its focus, so that Escape returns to it.
  const button = useRef<HTMLButtonElement>(null);
  const [ready, setReady] = useState(false);
  const isWide = useMediaQuery('(min-width: 64em)', false, { getInitialValueInEffect: false });
  // The first item gets the focus, so none may be hidden.
  const shown = items.filter(({ onlyNarrow }) => !isWide || !onlyNarrow);
  useEffect(() => {
    button.current?.focus({ preventScroll: true });
    setReady(true);
  }, []);
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
        <ActionIcon
          ref={button}
          className={className}
          aria-label={label}
          title={label}
          tabIndex={tabIndex}
          loading={busy}
        >
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={label} className={classes.menu}>
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

function Item({ label, name, icon: Icon, to, run, checked, danger, disabled }: MoreItem) {
  const look = {
    className: classes.item,
    'aria-label': name,
    leftSection: <Icon size={20} aria-hidden />,
  };
  if (to !== undefined)
    return (
      <Menu.Item {...look} component={Link} to={to}>
        {label}
      </Menu.Item>
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
