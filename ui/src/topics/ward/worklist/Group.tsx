import { Paper, Text, Title } from '@mantine/core';
import { Children, type ReactNode } from 'react';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import classes from './worklist.module.css';

interface Props {
  id: string;
  title: MessageId;
  hint?: MessageId;
  /** The maximum number of items that the server lists. */
  most: number;
  children: ReactNode;
}

/** One kind of items, with its number; nothing without items. */
export function Group({ id, title, hint, most, children }: Props) {
  const t = useText();
  const count = Children.toArray(children).length;
  if (count === 0) return null;
  return (
    <section aria-labelledby={id} data-group>
      {/* Gets the focus when a row, and the button that had it, is gone. */}
      <Title order={2} id={id} tabIndex={-1} className={classes.title}>
        <span>{t(title)}</span> <span className={classes.count}>{count}</span>
      </Title>
      {hint && (
        <Text c="dimmed" size="sm" mb="xs">
          {t(hint)}
        </Text>
      )}
      <Paper withBorder className={classes.card}>
        <ul className={classes.list}>{children}</ul>
      </Paper>
      {count >= most && (
        <Text c="dimmed" size="sm" mt="xs">
          {t('worklist.most', { most })}
        </Text>
      )}
    </section>
  );
}
