import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { ClampedText } from '@/shared/ui/ClampedText';
import classes from './LinkList.module.css';

interface Props<Item> {
  title: MessageId;
  /** Text of an empty list. */
  none: MessageId;
  answer: { currentData?: { items: Item[]; meta: { total: number } } };
  link: (item: Item) => { to: string; name: string; note?: string };
  /** Link to the full list, if there are more than fit here. */
  more?: string;
}

/** List of linked records, such as the rooms of an area. */
export function LinkList<Item extends { id: number }>({ title, none, answer, link, more }: Props<Item>) {
  const t = useText();
  const { currentData: found } = answer;
  if (!found) return null;
  const hidden = found.meta.total - found.items.length;
  return (
    <Paper withBorder component="section" aria-labelledby={title} style={{ overflow: 'hidden' }}>
      <Group justify="space-between" px="1.25rem" py="sm">
        <Title order={2} size="h3" id={title}>
          {t(title)}
        </Title>
        {hidden > 0 && more && (
          <Anchor component={Link} to={more}>
            {t('list.all', { total: found.meta.total })}
          </Anchor>
        )}
      </Group>
      {found.items.length === 0 ? (
        <Text c="dimmed" px="1.25rem" pb="md">
          {t(none)}
        </Text>
      ) : (
        <ul className={classes.list}>
          {found.items.map((item) => {
            const { to, name, note } = link(item);
            return (
              <li key={item.id}>
                <Link to={to} className={classes.item}>
                  <ClampedText className={classes.name}>{name}</ClampedText>{' '}
                  {note && (
                    <Text span size="sm" c="dimmed">
                      <ClampedText>{note}</ClampedText>
                    </Text>
                  )}
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </Paper>
  );
}
