import { IconChevronDown } from '@tabler/icons-react';
import { type AreaView, useChooseOwnWardMutation } from '@/api/generated';
import { useLazyReadOwnAccountQuery } from '@/api/lazy';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useSubmit } from '@/shared/forms/useSubmit';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import classes from './ward.module.css';

const TITLE = 'ward-title';

/** Open the menu of the page's title. */
export const openAreaMenu = () => document.querySelector<HTMLElement>(`#${TITLE} button`)?.click();

/** Return the name of the place where the user works. */
export function useWardName() {
  const t = useText();
  return useSession().user?.ward?.area?.name ?? t('ward.wholeHospital');
}

/** The page's title: where the user works, with a menu to change it. */
export function AreaMenu({ areas }: { areas: AreaView[] | undefined }) {
  const t = useText();
  const chosen = useSession().user?.ward;
  const name = useWardName();
  const [readAccount] = useLazyReadOwnAccountQuery();
  const [chooseOwnWard] = useChooseOwnWardMutation();
  const { submit, pending } = useSubmit();

  async function choose(areaId: number | null) {
    const saved = await submit(() =>
      // The schema of drafts does not know null, which is the whole hospital.
      chooseOwnWard({ ownWardDraft: { area_id: areaId as number } }),
    );
    if (saved.ok) await readAccount();
  }

  // With one area there is nothing to choose.
  if (!areas || (areas.length < 2 && !chosen?.area))
    return <h2 className={`${classes.place} ${classes.title}`}>{name}</h2>;
  return (
    <h2 id={TITLE} className={classes.place}>
      <OverflowMenuButton
        label={t('ward.change', { name })}
        face={
          <>
            <span>{name}</span>
            <IconChevronDown size={18} aria-hidden />
          </>
        }
        className={classes.title}
        busy={pending}
        items={[...areas, { id: null, name: t('ward.wholeHospital') }].map(({ id, name: label }) => ({
          label,
          chosen: !!chosen && (chosen.area?.id ?? null) === id,
          run: () => choose(id),
        }))}
      />
    </h2>
  );
}
