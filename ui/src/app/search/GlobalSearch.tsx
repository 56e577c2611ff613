import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useSession } from '@/session/session';
import { lazyPart } from '@/shared/ui/lazyPart';

const GlobalSearchDialog = lazyPart(() => import('./GlobalSearchDialog'));

/**
 * Global search, opened with Ctrl+K or the button in the header.
 *
 * A patient, a room or a sheet opens the sheet. It also finds products, pages and commands.
 */
export function GlobalSearch({
  opened,
  setOpened,
}: {
  opened: boolean;
  setOpened: (opened: boolean) => void;
}) {
  const { locked } = useSession();
  // Load the dialog on first use, and keep it mounted for its closing animation.
  const [wanted, setWanted] = useState(false);
  if (opened && !wanted) setWanted(true);

  const press = useEffectEvent((event: KeyboardEvent) => {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isShortcut || event.altKey || event.shiftKey || event.repeat || locked) return;
    // An open question must be answered before leaving the page.
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
