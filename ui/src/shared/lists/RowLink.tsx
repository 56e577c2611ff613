import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import classes from './table.module.css';

interface Props extends Pick<LinkProps, 'to' | 'state'> {
  children: ReactNode;
}

/** The name of a row as a link. The whole row is clickable. */
export function RowLink({ children, ...link }: Props) {
  return (
    <Link className={classes.rowLink} {...link}>
      {children}
    </Link>
  );
}

/** The same for a row that opens a dialog. */
export function RowButton({ children, run }: { children: ReactNode; run: () => void }) {
  return (
    <UnstyledButton className={classes.rowLink} onClick={run}>
      {children}
    </UnstyledButton>
  );
}
