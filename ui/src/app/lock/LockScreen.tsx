import { Group, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { useLazyReadOwnAccountQuery } from '@/api/lazy';
import { api, TAGS } from '@/api/tags';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { currentPerson } from '@/session/leaving';
import type { ParkedPerson, UnlockWay } from '@/session/parkedPeople';
import { accountRead, signedIn, tokenRenewed, unlocked, useSession } from '@/session/session';
import { settled } from '@/shared/forms/useUnsavedChangesPrompt';
import { useAppDispatch, useAppSelector } from '@/state/storeHooks';
import { FullSignIn } from '@/topics/accounts/proofs/FullSignIn';
import type { UnlockPanelProps } from '@/topics/accounts/proofs/UnlockPanel';
import { AuthLayout } from '../shell/AuthLayout';
import { DemonstrationBanner } from '../shell/DemonstrationBanner';
import { LeaveScreen } from './LeaveScreen';
import classes from './LockScreen.module.css';
import { useConfirmedLock } from './useConfirmedLock';
import { useDetachedBehind, useIdleLock } from './useIdleLock';

/** Without its code only the current user can unlock, and only with the password. */
function OnlyPassword({ people: [person], own }: UnlockPanelProps) {
  return person && own && <FullSignIn person={person} onUnlocked={own.onUnlocked} />;
}

const UnlockPanel = lazy(() =>
  import('@/topics/accounts/proofs/UnlockPanel').catch(() => ({ default: OnlyPassword })),
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
      <DemonstrationBanner />
      <AuthLayout screen="/lock">
        <Unlocking person={person} />
      </AuthLayout>
    </div>
  );
}

function Unlocking({ person }: { person: ParkedPerson }) {
  const t = useText();
  const { parked, badgeOf, user } = useSession();
  // Another person takes over without a word about unsent lines: the button is in sight, above the keys of the PIN.
  const isQuickHere = user?.quick_unlock ?? false;
  const isAway = useAppSelector(({ outbox }) => outbox.unreachableSince !== null);
  const goOn = useGoOn(person.token);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const people = [person, ...parked.filter(({ userId }) => userId !== person.userId)];
  const isAlone = people.length === 1;
  const hint = isAlone ? aloneHint(person) : people.some(hasBadge) ? 'unlock.badgeHint' : 'unlock.whoHint';
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={1} id="lock-screen-title">
          {t(isAlone ? 'lockScreen.title' : 'unlock.who')}
        </Title>
        {isQuickHere && <LeaveScreen email={person.email} />}
      </Group>
      {isAlone && <Text fw={650}>{person.name}</Text>}
      {isAway && <Text role="alert">{t('unlock.offline')}</Text>}
      {isAlone && !person.unlockBy.some(isQuick) ? (
        <>
          {person.unlockBy.includes('password') && (
            <Text>{t('lockScreen.hint', { email: person.email })}</Text>
          )}
          <FullSignIn person={person} onUnlocked={goOn} />
        </>
      ) : (
        <>
          {hint && <Text>{t(hint, { email: person.email })}</Text>}
          <Suspense>
            <UnlockPanel
              key={badgeOf}
              people={people}
              first={badgeOf ?? person.userId}
              own={{ userId: person.userId, path: pathname + search, onUnlocked: goOn }}
              // Their form was saved, and the new person has nothing to decide about it.
              onLeft={() => navigate('/', { state: settled })}
            />
          </Suspense>
        </>
      )}
      {!isQuickHere && <LeaveScreen email={person.email} />}
    </Stack>
  );
}

/** Ways that need more than this file. */
const isQuick = (way: UnlockWay) => way !== 'password';

/** Return what to do, or null if the form says it: the hospital's account is explained above its button. */
const aloneHint = ({ unlockBy }: ParkedPerson): MessageId | null =>
  unlockBy.includes('pin') ? 'unlock.pinHint' : unlockBy.includes('password') ? 'lockScreen.hint' : null;

const hasBadge = ({ unlockBy }: ParkedPerson) => unlockBy.includes('badge');

/** Return what to do with the token of the unlocked session, or of the new one if that had ended. */
function useGoOn(former: string) {
  const dispatch = useAppDispatch();
  const { user } = useSession();
  const [readAccount] = useLazyReadOwnAccountQuery();
  return async (token: string) => {
    if (token === former) return dispatch(unlocked());
    // The new session has the user's current permissions.
    dispatch(tokenRenewed(token));
    const account = await readAccount();
    // With another role, discard what the old role showed.
    if (account.data?.role !== user?.role) return dispatch(signedIn(token));
    if (account.data) dispatch(accountRead(account.data));
    dispatch(unlocked());
  };
}
