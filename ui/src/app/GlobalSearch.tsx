import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useSession } from '@/session/session';

const GlobalSearchDialog = lazy(() => import('./GlobalSearchDialog'));

/** Ctrl+K from anywhere, or its button in the head: a patient, a room or a sheet leads to the sheet, and there are products, pages and commands. */
export function GlobalSearch({
  opened,
  setOpened,
}: {
  opened: boolean;
  setOpened: (opened: boolean) => void;
}) {
  const { locked } = useSession();
  // Loaded once it is asked for, and kept for its closing.
  const [wanted, setWanted] = useState(false);
  if (opened && !wanted) setWanted(true);

  const press = useEffectEvent((event: KeyboardEvent) => {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isShortcut || event.altKey || event.shiftKey || event.repeat || locked) return;
    // A question is answered before one goes elsewhere.
    if (!opened && document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    setOpened(!opened);
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return (
    <Suspense>{wanted && <GlobalSearchDialog opened={opened} onClose={() => setOpened(false)} />}</Suspense>
  );
}
