import { Button, Group, Paper, Title } from '@mantine/core';
import {
  useAddTypedNameMutation,
  useDismissTypedNameMutation,
  useListTypedNamesQuery,
} from '@/api/generated';
import type { Problem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import classes from './TypedNames.module.css';

/**
 * List texts that users typed in vain before choosing the product.
 *
 * Each can be added to the other names, or dismissed.
 */
export function TypedNames({ productId }: { productId: number }) {
  const t = useText();
  const [add] = useAddTypedNameMutation();
  const [dismiss] = useDismissTypedNameMutation();
  const { submit, pending } = useSubmit();
  const { currentData: typed, refetch } = useListTypedNamesQuery({ productId });
  if (!typed?.items.length) return null;

  /** Refetch if another user has already answered. */
  function onProblem({ status }: Problem) {
    if (status !== 404) return false;
    refetch();
    return true;
  }
  return (
    <Paper withBorder component="section" aria-labelledby="typed-names" style={{ overflow: 'hidden' }}>
      <Title order={2} size="h3" id="typed-names" px="1.25rem" py="sm">
        {t('typedNames.title')}
      </Title>
      <ul className={classes.list}>
        {typed.items.map(({ id, text, times }) => (
          <li key={id}>
            <span>{t('typedNames.times', { text, times })}</span>
            <Group gap="xs">
              <Button
                variant="default"
                disabled={pending}
                aria-label={t('typedNames.addOf', { text })}
                onClick={() =>
                  submit(() => add({ typedNameId: id }), { success: 'typedNames.added', onProblem })
                }
              >
                {t('typedNames.add')}
              </Button>
              <Button
                variant="subtle"
                disabled={pending}
                aria-label={t('typedNames.dismissOf', { text })}
                onClick={() =>
                  submit(() => dismiss({ typedNameId: id }), { success: 'typedNames.dismissed', onProblem })
                }
              >
                {t('typedNames.dismiss')}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
    </Paper>
  );
}
