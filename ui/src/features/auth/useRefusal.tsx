import { Alert } from '@mantine/core';
import { useState } from 'react';
import { isUnavailable, type Problem } from '@/api/problem';
import { useText } from '@/i18n/useText';

/**
 * What a form for people who are not signed in says when it could not be sent: always one sentence, for there is no
 * session that ended and no page to go back to. `explain` is for the `onProblem` of `useSubmit`, which says itself what
 * is wrong with which field, and offers to try again where the server cannot be reached.
 */
export function useRefusal() {
  const t = useText();
  const [text, setText] = useState<string | null>(null);

  function explain({ status, messages }: Problem): boolean {
    if (isUnavailable(status) || (status === 422 && messages.length > 0)) return false;
    const said = status !== null && status >= 400 ? messages.map((message) => message.text).join(' ') : '';
    setText(said || t('session.failed'));
    return true;
  }

  return {
    refuse: setText,
    explain,
    /** Forget it: the form is sent again. */
    clear: () => setText(null),
    refused: text !== null,
    refusal: text !== null && (
      <Alert color="red" role="alert">
        {text}
      </Alert>
    ),
  };
}
