import { Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './shift.module.css';

interface Props {
  title: string;
  count?: number;
  children: ReactNode;
}

/** A part of the shift, with its number of items. */
export function Section({ title, count, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} className={classes.title}>
        <span>{title}</span> {count !== undefined && <span className={classes.count}>{count}</span>}
      </Title>
      <Paper withBorder className={classes.card}>
        {children}
      </Paper>
    </section>
  );
}
