import { lazy, Suspense } from 'react';
import { loadLaterMessages } from '@/i18n/messages';
import type { ParkedPerson } from '@/session/parkedPeople';
import { usePasskeysHere } from './usePasskeysHere';

// A locked screen goes on with the other ways if this cannot be loaded.
const PasskeyUnlock = lazy(async () => {
  try {
    const [button] = await Promise.all([import('./PasskeyUnlock'), loadLaterMessages()]);
    return button;
  } catch {
    return { default: () => <></> };
  }
});

interface Props {
  person: ParkedPerson;
  onUnlocked: () => void;
}

/** The passkey button of the lock screen, for people who have one. */
export function LazyPasskeyUnlock({ person, onUnlocked }: Props) {
  const isHere = usePasskeysHere();
  if (!isHere || !person.unlockBy.includes('passkey')) return null;
  return (
    <Suspense>
      <PasskeyUnlock person={person} onUnlocked={onUnlocked} />
    </Suspense>
  );
}
