import { Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { currentPerson } from '@/session/leaving';
import { tokenRenewed, useSession } from '@/session/session';
import { Dialog, DialogFooter } from '@/shared/dialogs/Dialog';
import { useAppDispatch } from '@/state/storeHooks';
import { FullSignIn } from './FullSignIn';
import { LazyPasskeyUnlock } from './LazyPasskeyUnlock';

type Answer = { data?: unknown; error?: unknown };

/** Return whether the server requires a confirmation before it does this. */
const isUnconfirmed = ({ error }: Answer) =>
  toProblem(error).messages.some(({ code }) => code === 'session.unconfirmed');

/** The answer to a call that the user decided not to confirm: there is nothing to report. */
const CANCELLED = { error: { name: 'AbortError' } };

interface Confirmed {
  confirmed: <A extends Answer>(call: () => PromiseLike<A>) => Promise<A>;
  dialog: ReactNode;
}

/**
 * Make calls that need a session confirmed within five minutes.
 *
 * If the server refuses one, `dialog` asks for password, passkey or the hospital's account, and the call is repeated.
 * The caller renders it.
 */
export function useConfirmed(): Confirmed {
  const t = useText();
  const dispatch = useAppDispatch();
  const person = currentPerson(useSession());
  const [answer, setAnswer] = useState<{ resolve: (isConfirmed: boolean) => void } | null>(null);

  function close(isConfirmed: boolean) {
    answer?.resolve(isConfirmed);
    setAnswer(null);
  }

  function goOn(token: string) {
    if (token !== person?.token) dispatch(tokenRenewed(token));
    close(true);
  }

  async function confirmed<A extends Answer>(call: () => PromiseLike<A>): Promise<A> {
    const first = await call();
    if (!person || !isUnconfirmed(first)) return first;
    const isConfirmed = await new Promise<boolean>((resolve) => setAnswer({ resolve }));
    return isConfirmed ? call() : (CANCELLED as A);
  }

  return {
    confirmed,
    dialog: person && (
      <Dialog opened={answer !== null} onClose={() => close(false)} title={t('confirmSession.title')}>
        <Stack gap="md">
          {person.unlockBy.includes('password') && <Text>{t('confirmSession.hint')}</Text>}
          <div>
            <FullSignIn person={person} onUnlocked={goOn} />
            <LazyPasskeyUnlock person={person} onUnlocked={() => goOn(person.token)} />
          </div>
        </Stack>
        <DialogFooter>
          <Button variant="default" onClick={() => close(false)}>
            {t('action.cancel')}
          </Button>
        </DialogFooter>
      </Dialog>
    ),
  };
}
