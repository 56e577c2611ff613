import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './SelectionBar.module.css';

interface Props {
  /** Accessible name of the bar. */
  label: string;
  /** How many items are selected, in words. */
  count: string;
  /** Accessible name of the button that clears the selection. */
  clear: string;
  onClear: () => void;
  /** The actions. */
  children: ReactNode;
}

/** Actions for the selected items of a list, at the bottom of the window. */
export function SelectionBar({ label, count, clear, onClear, children }: Props) {
  return (
    <section className={classes.bar} aria-label={label}>
      <p className={classes.count} role="status">
        {count}
      </p>
      {children}
      <ActionIcon className={classes.close} aria-label={clear} title={clear} onClick={onClear}>
        <IconX size={20} aria-hidden />
      </ActionIcon>
    </section>
  );
}
