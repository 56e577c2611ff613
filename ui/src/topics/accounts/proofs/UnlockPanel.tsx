import { Stack, Text, UnstyledButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useText } from '@/i18n/useText';
import { othersOnDevice } from '@/outbox/others';
import { BadgeListener } from '@/scan/badgeListener';
import { giveSignal } from '@/scan/signals';
import { useLockKeys } from '@/session/lockKeys';
import type { ParkedPerson } from '@/session/parkedPeople';
import { findBadge, removePerson, switchTo, unlockPerson } from '@/session/unlocking';
import { useAppDispatch } from '@/state/storeHooks';
import { PersonPanel } from './PersonPanel';
import classes from './unlock.module.css';

/** Silence after which a scan without Enter is complete, in milliseconds. */
const WITHOUT_SUFFIX = 300;

export interface UnlockPanelProps {
  /** Who may unlock a session here, the current user first. */
  people: ParkedPerson[];
  /** The person whose ways are shown first. */
  first: number | null;
  /** The current user, where they are, and what to do with the token of their session, or of the new one. */
  own?: { userId: number; path: string; onUnlocked: (token: string) => unknown };
  /** Called when the current user has left the screen to another person. */
  onLeft?: () => void;
}

/** The people with a session on this device, of whom the chosen one unlocks it. Badges choose, too. */
export default function UnlockPanel({ people, first, own, onLeft }: UnlockPanelProps) {
  const t = useText();
  const dispatch = useAppDispatch();
  const [chosen, setChosen] = useState(first);
  const [note, setNote] = useState<string | null>(null);
  /** Number of badges and bursts, with which a begun PIN is dropped. */
  const [scans, setScans] = useState(0);
  const person = people.find(({ userId }) => userId === chosen);
  const waiting = useWaiting();
  /** Whether there is a choice. */
  const isListed = people.length > 1 || first === null;
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen !== null) panel.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  async function onUnlocked(next: ParkedPerson, token: string) {
    if (next.userId === own?.userId) return own.onUnlocked(token);
    const isBound = next.isBound && token === next.token;
    const switching = dispatch(switchTo({ ...next, token, isBound }, own?.path ?? '/'));
    onLeft?.();
    await switching;
  }

  useBadge(
    () => setScans((number) => number + 1),
    async (badge) => {
      const userId = await dispatch(findBadge(badge, people));
      const owner = people.find((one) => one.userId === userId);
      giveSignal(owner ? 'taken' : 'refused');
      setNote(owner ? null : t('unlock.unknownBadge'));
      if (!owner) return;
      if (owner.unlockBy.includes('badge')) {
        const { is } = await dispatch(unlockPerson(owner, { badge }));
        if (is === 'unlocked') return onUnlocked(owner, owner.token);
      }
      setChosen(owner.userId);
    },
  );

  return (
    <Stack gap="sm">
      {note && (
        <Text role="alert" c="var(--mantine-color-error)">
          {note}
        </Text>
      )}
      {isListed && (
        <ul className={classes.people}>
          {people.map(({ userId, name }) => {
            const count = waiting.get(userId);
            return (
              <li key={userId}>
                <UnstyledButton
                  className={classes.person}
                  aria-pressed={userId === chosen}
                  onClick={() => {
                    setNote(null);
                    setChosen(userId);
                  }}
                >
                  <span className={classes.name}>{name}</span>
                  {count !== undefined && (
                    <span className={classes.waiting}>{t('outbox.unsentNow', { count })}</span>
                  )}
                </UnstyledButton>
              </li>
            );
          })}
        </ul>
      )}
      {person && (
        <div ref={panel}>
          <PersonPanel
            key={`${person.token} ${scans}`}
            person={person}
            onUnlocked={(token) => onUnlocked(person, token)}
            onRemove={() => dispatch(removePerson(person, onLeft))}
          />
        </div>
      )}
    </Stack>
  );
}

/** Return how many entries wait on this device, by user. */
function useWaiting() {
  const [waiting, setWaiting] = useState(new Map<number, number>());
  useEffect(() => {
    othersOnDevice(null).then(
      (found) => setWaiting(new Map(found.map(({ userId, count }) => [userId, count]))),
      () => {},
    );
  }, []);
  return waiting;
}

/** Listen for badges. A burst of keys is a badge before its end is known. */
function useBadge(onBurst: () => void, onBadge: (badge: string) => void) {
  const [listener] = useState(() => new BadgeListener());
  const resting = useRef(0);
  const isBurst = useRef(false);
  useEffect(() => () => window.clearTimeout(resting.current), []);

  function take(heard: ReturnType<BadgeListener['press']>) {
    if (heard.is === 'burst' && !isBurst.current) onBurst();
    isBurst.current = heard.is === 'burst';
    if (heard.is === 'badge') onBadge(heard.badge);
  }

  useLockKeys((event) => {
    window.clearTimeout(resting.current);
    const heard = listener.press(event, isOtherField(event.target));
    if (heard.is !== 'other') event.preventDefault();
    if (heard.is === 'burst')
      resting.current = window.setTimeout(() => take(listener.rest()), WITHOUT_SUFFIX);
    take(heard);
    if (heard.is === 'other') focusPin(event);
  });
}

const isPinField = (element: EventTarget | null) =>
  element instanceof HTMLInputElement && element.classList.contains(classes.field as string);
const isOtherField = (element: EventTarget | null) =>
  element instanceof HTMLInputElement && !isPinField(element);

/** Let a digit reach the PIN, wherever the focus is. */
function focusPin({ key, target }: KeyboardEvent) {
  if (!/^\d$/.test(key) || target instanceof HTMLInputElement) return;
  document.querySelector<HTMLInputElement>(`.${classes.field}`)?.focus({ preventScroll: true });
}
