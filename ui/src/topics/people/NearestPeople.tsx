import { Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import tableClasses from '@/shared/lists/table.module.css';
import { useReturnState } from '@/shared/ui/useReturnPath';
import classes from './NearestPeople.module.css';

interface Props {
  people: { id: number; to: string; name: string; note: string }[];
}

/** Suggests people with similar names when the search has no results. */
export function NearestPeople({ people }: Props) {
  const t = useText();
  const here = useReturnState();
  if (people.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-labelledby="nearest-people">
      <Text fw={600} id="nearest-people">
        {t('select.nearest')}
      </Text>
      <ul className={classes.nearest}>
        {people.map(({ id, to, name, note }) => (
          <li key={id}>
            <Link className={tableClasses.rowLink} to={to} state={here}>
              {name}
            </Link>{' '}
            <Text span c="dimmed">
              {note}
            </Text>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
