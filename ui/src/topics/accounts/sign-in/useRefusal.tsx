import { Alert } from '@mantine/core';
import { useState } from 'react';
import { isUnavailable, type Problem } from '@/api/problem';
import { useText } from '@/i18n/useText';

/**
 * Show a failed submission of a form for people who are not signed in.
 *
 * It is always one sentence, because there is no session that ended and no page to go back to. Pass `explain` as the
 * `onProblem` of `useSubmit`, which itself shows errors of fields and offers a retry if the server is unreachable.
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
    /** Clear the message when the form is submitted again. */
    clear: () => setText(null),
    refused: text !== null,
    refusal: text !== null && (
      <Alert color="red" role="alert">
        {text}
      </Alert>
    ),
  };
}
