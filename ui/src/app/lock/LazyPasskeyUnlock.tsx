import { lazy, Suspense } from 'react';
import type { OwnAccountView } from '@/api/generated';
import { usePasskeysHere } from '@/components/passkeys/usePasskeysHere';
import { loadLaterMessages } from '@/i18n/messages';

// A locked screen goes on with the password if this cannot be loaded.
const PasskeyUnlock = lazy(async () => {
  try {
    const [button] = await Promise.all([import('./PasskeyUnlock'), loadLaterMessages()]);
    return button;
  } catch {
    return { default: () => <></> };
  }
});

/** The passkey button of the lock screen, for users who have one. */
export function LazyPasskeyUnlock({ user, onUnlocked }: { user: OwnAccountView; onUnlocked: () => void }) {
  const isHere = usePasskeysHere();
  // A user who was stored before an update has no such list.
  if (!isHere || !user.unlock_by?.includes('passkey')) return null;
  return (
    <Suspense>
      <PasskeyUnlock onUnlocked={onUnlocked} />
    </Suspense>
  );
}
