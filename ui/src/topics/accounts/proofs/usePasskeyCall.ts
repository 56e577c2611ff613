import { useState } from 'react';
import { isAborted, isUnavailable, toProblem } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { type PasskeyJson, passkeyFailure } from './webauthn';

type Answer<T> = { data?: T; error?: unknown };

interface Steps<T> {
  /** Ask the server for options. */
  begin: () => Promise<Answer<{ options: PasskeyJson }>>;
  /** Use the browser's passkey. */
  use: (options: PasskeyJson) => Promise<PasskeyJson>;
  /** Send the browser's answer. */
  finish: (credential: PasskeyJson) => Promise<Answer<T>>;
}

/** Run the three steps of every use of a passkey, and explain the failure of one. */
export function usePasskeyCall() {
  const t = useText();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [pending, setPending] = useState(false);

  function explain(error: unknown) {
    if (isAborted(error)) return null;
    const { status, messages } = toProblem(error);
    const said = messages.map(({ text }) => text).join(' ');
    setRefusal(said || t(isUnavailable(status) ? 'error.unreachable' : 'session.failed'));
    return null;
  }

  async function steps<T>({ begin, use, finish }: Steps<T>): Promise<T | null> {
    const begun = await begin();
    if (!begun.data) return explain(begun.error);
    let credential: PasskeyJson;
    try {
      credential = await use(begun.data.options);
    } catch (error) {
      const failure: MessageId = passkeyFailure(error);
      setRefusal(t(failure));
      return null;
    }
    const { data, error } = await finish(credential);
    return error ? explain(error) : ((data ?? {}) as T);
  }

  /** Return the server's answer, or null after a failure. */
  async function run<T>(call: Steps<T>): Promise<T | null> {
    setRefusal(null);
    setPending(true);
    try {
      return await steps(call);
    } finally {
      setPending(false);
    }
  }

  return { run, pending, refusal };
}
