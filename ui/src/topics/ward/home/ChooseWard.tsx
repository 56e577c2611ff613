import { Button, Title } from '@mantine/core';
import { useId } from 'react';
import { type AreaView, useChooseOwnWardMutation } from '@/api/generated';
import { useLazyReadOwnAccountQuery } from '@/api/lazy';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useSubmit } from '@/shared/forms/useSubmit';
import classes from './ward.module.css';

interface Props {
  /** The areas with rooms. */
  areas: AreaView[];
  onChosen?: () => void;
}

/** Ask where the user works: in one of the areas, or in the whole hospital. */
export function ChooseWard({ areas, onChosen }: Props) {
  const t = useText();
  const title = useId();
  const chosen = useSession().user?.ward;
  const [readAccount] = useLazyReadOwnAccountQuery();
  const [chooseOwnWard] = useChooseOwnWardMutation();
  const { submit, pending } = useSubmit();

  async function choose(areaId: number | null) {
    const saved = await submit(() =>
      // The schema of drafts does not know null, which is the whole hospital.
      chooseOwnWard({ ownWardDraft: { area_id: areaId as number } }),
    );
    if (!saved.ok) return;
    await readAccount();
    onChosen?.();
  }

  const choices = [...areas, { id: null, name: t('ward.wholeHospital') }];
  return (
    <section aria-labelledby={title} className={classes.question}>
      <Title order={2} id={title}>
        {t('ward.choose')}
      </Title>
      <div className={classes.choices}>
        {choices.map(({ id, name }) => (
          <Button
            key={id}
            size="lg"
            variant="default"
            className={classes.choice}
            aria-pressed={chosen ? (chosen.area?.id ?? null) === id : undefined}
            disabled={pending}
            onClick={() => choose(id)}
          >
            {name}
          </Button>
        ))}
      </div>
    </section>
  );
}
