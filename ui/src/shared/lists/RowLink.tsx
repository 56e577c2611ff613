import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { ClampedText } from '@/shared/ui/ClampedText';
import classes from './table.module.css';

interface Props extends Pick<LinkProps, 'to' | 'state'> {
  children: ReactNode;
}

/** The name of a row as a link. The whole row is clickable. */
export function RowLink({ children, ...link }: Props) {
  return (
    <Link className={classes.rowLink} {...link}>
      <ClampedText>{children}</ClampedText>
    </Link>
  );
}
