import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { withLaterTexts } from '@/i18n/messages';
import { lazyPart } from '@/shared/ui/lazyPart';
import { ALONE_MS, isBeside, isField, singleKeys } from '@/shared/ui/singleKeys';
import { usePermittedNavigation } from './navigation';

const ShortcutsDialog = lazyPart(withLaterTexts(() => import('./ShortcutsDialog')));

/**
 * Single-key shortcuts: help, search, new record, area use, navigation by number.
 *
 * A key that leaves the page needs the focus on an element that is no field; while nothing has it, the key does nothing.
 */
export function Shortcuts({ opened, setOpened }: { opened: boolean; setOpened: (opened: boolean) => void }) {
  const navigate = useNavigate();
  // Without the first page, so that the numbers that users know stay; there are nine of them.
  const places = usePermittedNavigation()
    .filter(({ to }) => to !== '/')
    .slice(0, 9);
  // Load the dialog on first use, and keep it mounted for its closing animation.
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    if (opened) setWanted(true);
  }, [opened]);

  const last = useRef(Number.NEGATIVE_INFINITY);
  const leaving = useRef(0);

  function leave({ timeStamp, target }: KeyboardEvent, go: () => void) {
    if (target === document.body) return;
    if (timeStamp - last.current > ALONE_MS) leaving.current = window.setTimeout(go, ALONE_MS);
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, timeStamp } = event;
    window.clearTimeout(leaving.current);
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (event.defaultPrevented || modified || !singleKeys.areOn()) return;
    if (isField(target) || !isBeside(target)) return;
    const place = places[Number(key) - 1];
    if (key === '?') setOpened(true);
    else if (key === '/') find('[data-shortcut="search"], [role="searchbox"]')?.focus();
    else if (key === 'n') leave(event, () => find('[data-shortcut="new"]')?.click());
    else if (key === 'g') leave(event, () => find('[data-shortcut="area"]')?.click());
    else if (place) leave(event, () => navigate(place.to));
    last.current = timeStamp;
    // Do not type the key into the field that it focuses.
    if (key === '?' || key === '/') event.preventDefault();
  });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKey);
    return () => {
      window.clearTimeout(leaving.current);
      document.removeEventListener('keydown', onKey);
    };
  }, []);

  return (
    <Suspense>
      {wanted && <ShortcutsDialog opened={opened} onClose={() => setOpened(false)} places={places} />}
    </Suspense>
  );
}

const find = (selector: string) => document.querySelector<HTMLElement>(`main :is(${selector})`);
