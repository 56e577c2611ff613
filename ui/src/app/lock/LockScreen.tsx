import { Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { useLazyReadOwnAccountQuery } from '@/api/lazy';
import { api, TAGS } from '@/api/tags';
import { settled } from '@/components/forms/useUnsavedChangesPrompt';
import { PasswordForm } from '@/components/unlock/PasswordForm';
import type { UnlockPanelProps } from '@/components/unlock/UnlockPanel';
import { canSign } from '@/device/keys';
import { useText } from '@/i18n/useText';
import { currentPerson, removePerson, switchTo } from '@/session/leaving';
import type { ParkedPerson } from '@/session/parkedPeople';
import { accountRead, signedIn, tokenRenewed, unlocked, useSession } from '@/session/session';
import { waysOf } from '@/session/unlocking';
import { useAppDispatch, useAppSelector } from '@/storeHooks';
import { AuthLayout } from '../shell/AuthLayout';
import { LeaveScreen } from './LeaveScreen';
import classes from './LockScreen.module.css';
import { useConfirmedLock } from './useConfirmedLock';
import { useDetachedBehind, useIdleLock } from './useIdleLock';

/** Without its code only the current user can unlock, and only with the password. */
function OnlyPassword({ people: [person], onUnlocked }: UnlockPanelProps) {
  return person && <PasswordForm person={person} onUnlocked={(token) => onUnlocked(person, token)} />;
}

const UnlockPanel = lazy(() =>
  import('@/components/unlock/UnlockPanel').catch(() => ({ default: OnlyPassword })),
);

/**
 * All pages with the lock screen, which appears after some idle minutes.
 *
 * Locked pages keep their state, outside the document.
 */
export function IdleLock() {
  const session = useSession();
  const person = currentPerson(session);
  useIdleLock();
  useConfirmedLock();
  useRefreshAfterUnlock(session.locked, session.token);
  return (
    <>
      <Outlet />
      {person && session.locked && <LockScreen person={person} />}
    </>
  );
}

/** Refetch what the pages show: others may have changed it, and the server refused to tell a locked session. */
function useRefreshAfterUnlock(isLocked: boolean, token: string | null) {
  const dispatch = useAppDispatch();
  const former = useRef({ isLocked, token });
  useEffect(() => {
    const isBack = former.current.isLocked && !isLocked && former.current.token === token;
    former.current = { isLocked, token };
    if (isBack) dispatch(api.util.invalidateTags([...TAGS]));
  }, [dispatch, isLocked, token]);
}

function LockScreen({ person }: { person: ParkedPerson }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const made = document.createElement('div');
    made.className = classes.lockScreen as string;
    document.body.append(made);
    setPlace(made);
    return () => made.remove();
  }, []);
  return place && createPortal(<LockDialog place={place} person={person} />, place);
}

function LockDialog({ place, person }: { place: HTMLElement; person: ParkedPerson }) {
  useDetachedBehind(place);
  return (
    <div role="dialog" aria-modal="true" aria-labelledby="lock-screen-title">
      <AuthLayout>
        <Unlocking person={person} />
      </AuthLayout>
    </div>
  );
}

function Unlocking({ person }: { person: ParkedPerson }) {
  const t = useText();
  const { parked, badgeOf } = useSession();
  const isAway = useAppSelector(({ outbox }) => outbox.unreachableSince !== null);
  const { onUnlocked, onRemove } = useUnlocking(person);
  const [way] = waysOf(person, canSign());
  const people = [person, ...parked.filter(({ userId }) => userId !== person.userId)];
  const isAlone = people.length === 1;
  return (
    <Stack gap="md">
      <Title order={1} id="lock-screen-title">
        {t(isAlone ? 'lockScreen.title' : 'unlock.who')}
      </Title>
      {isAway && <Text role="alert">{t('unlock.offline')}</Text>}
      {isAlone && way === 'password' ? (
        <>
          <Text>{t('lockScreen.hint', { email: person.email })}</Text>
          <PasswordForm person={person} onUnlocked={(token) => onUnlocked(person, token)} />
        </>
      ) : (
        <>
          <Text>
            {t(isAlone ? 'unlock.pinHint' : people.some(hasBadge) ? 'unlock.badgeHint' : 'unlock.whoHint')}
          </Text>
          <Suspense>
            <UnlockPanel
              key={badgeOf}
              people={people}
              first={badgeOf ?? person.userId}
              onUnlocked={onUnlocked}
              onRemove={onRemove}
            />
          </Suspense>
        </>
      )}
      <LeaveScreen email={person.email} />
    </Stack>
  );
}

const hasBadge = ({ unlockBy }: ParkedPerson) => unlockBy.includes('badge');

/** Return what to do once a person has unlocked their session, or is to be removed from this device. */
function useUnlocking(current: ParkedPerson) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { user } = useSession();
  const [readAccount] = useLazyReadOwnAccountQuery();

  async function goOn(token: string) {
    if (token === current.token) return dispatch(unlocked());
    // The session had ended behind the lock screen. The new one has the user's current permissions.
    dispatch(tokenRenewed(token));
    const account = await readAccount();
    // With another role, discard what the old role showed.
    if (account.data?.role !== user?.role) return dispatch(signedIn(token));
    if (account.data) dispatch(accountRead(account.data));
    dispatch(unlocked());
  }

  async function onUnlocked(person: ParkedPerson, token: string) {
    if (person.userId === current.userId) return goOn(token);
    const isBound = person.isBound && token === person.token;
    const switching = dispatch(switchTo({ ...person, token, isBound }, pathname + search));
    // Their form was saved, and the new person has nothing to decide about it.
    navigate('/', { state: settled });
    await switching;
  }

  async function onRemove(person: ParkedPerson) {
    await dispatch(removePerson(person));
    if (person.userId === current.userId) navigate('/');
  }

  return { onUnlocked, onRemove };
}
