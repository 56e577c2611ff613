import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Problem } from '@/api/problem';
import { useSubmit } from '@/components/forms/useSubmit';
import { Dialog } from '@/components/ui/Dialog';
import { PasswordForm } from '@/components/unlock/PasswordForm';
import { useText } from '@/i18n/useText';
import { currentPerson } from '@/session/leaving';
import { tokenRenewed, useSession } from '@/session/session';
import { useAppDispatch } from '@/storeHooks';

type Submit = ReturnType<typeof useSubmit>['submit'];

const isUnconfirmed = ({ messages }: Problem) => messages.some(({ code }) => code === 'session.unconfirmed');

/**
 * Send a change that the server accepts only soon after the password was entered.
 *
 * `dialog` asks for the password if that was too long ago; the change is then sent again. The caller renders it.
 */
export function useConfirmedSubmit(): { submit: Submit; pending: boolean; dialog: ReactNode } {
  const t = useText();
  const dispatch = useAppDispatch();
  const person = currentPerson(useSession());
  const { submit, pending } = useSubmit();
  const [answer, setAnswer] = useState<{ resolve: (sure: boolean) => void } | null>(null);

  function close(sure: boolean) {
    answer?.resolve(sure);
    setAnswer(null);
  }

  const submitConfirmed: Submit = async (run, options) => {
    let asks = false;
    const onProblem = (problem: Problem) => {
      asks = isUnconfirmed(problem);
      return asks || Boolean(options?.onProblem?.(problem));
    };
    const saved = await submit(run, { ...options, onProblem });
    if (!asks) return saved;
    const sure = await new Promise<boolean>((resolve) => setAnswer({ resolve }));
    return sure ? submit(run, options) : saved;
  };

  return {
    submit: submitConfirmed,
    pending,
    dialog: person && (
      <Dialog opened={answer !== null} onClose={() => close(false)} title={t('confirmSession.title')}>
        <Stack gap="sm">
          <Text>{t('confirmSession.hint')}</Text>
          <PasswordForm
            person={person}
            onUnlocked={(token) => {
              if (token !== person.token) dispatch(tokenRenewed(token));
              close(true);
            }}
          />
        </Stack>
      </Dialog>
    ),
  };
}
