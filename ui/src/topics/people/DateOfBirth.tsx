import { Text } from '@mantine/core';
import { useFormat } from '@/i18n/useFormat';
import classes from './DateOfBirth.module.css';

/** A date of birth with the age. */
export function DateOfBirth({ on }: { on: string }) {
  const format = useFormat();
  return (
    <span className={classes.born}>
      <span>{format.day(on)}</span>{' '}
      <Text span c="dimmed" ml="xs">
        {format.age(on)}
      </Text>
    </span>
  );
}
