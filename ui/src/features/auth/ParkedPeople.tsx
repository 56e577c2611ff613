import { Text } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import type { UnlockPanelProps } from '@/components/unlock/UnlockPanel';
import { useText } from '@/i18n/useText';
import { removePerson, switchTo } from '@/session/leaving';
import type { ParkedPerson } from '@/session/parkedPeople';
import { useAppDispatch } from '@/storeHooks';

const UnlockPanel = lazy<ComponentType<UnlockPanelProps>>(() =>
  // Everybody can sign in without it.
  import('@/components/unlock/UnlockPanel').catch(() => ({ default: () => null })),
);

/** Let people with a locked session on this device come back without signing in. */
export function ParkedPeople({ people }: { people: ParkedPerson[] }) {
  const t = useText();
  const dispatch = useAppDispatch();

  return (
    <section aria-labelledby="parked-title">
      <Text id="parked-title" mb="xs">
        {t('unlock.whoHint')}
      </Text>
      <Suspense>
        <UnlockPanel
          people={people}
          first={null}
          onUnlocked={(person, token) =>
            dispatch(switchTo({ ...person, token, isBound: person.isBound && token === person.token }, '/'))
          }
          onRemove={(person) => dispatch(removePerson(person))}
        />
      </Suspense>
    </section>
  );
}
