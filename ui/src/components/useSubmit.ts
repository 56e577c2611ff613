import type { UseFormReturnType } from '@mantine/form';
import { useRef, useState } from 'react';
import { Failure, type Problem, problemOf } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { focusFirstError } from './focusFirstError';
import { useToast } from './useToast';

type Answer = { data?: unknown; error?: unknown };
type Outcome<A extends Answer> = { ok: true; data: NonNullable<A['data']> } | { ok: false };

interface Options {
  /** What to say when it is done. */
  success?: MessageId;
  autoClose?: number;
  /** Where the messages of a 422 belong. What was typed stays. */
  // biome-ignore lint/suspicious/noExplicitAny: any form will do, whatever its values.
  form?: UseFormReturnType<any>;
  /** Return true when the problem is dealt with and needs neither toast nor error page. */
  onProblem?: (problem: Problem) => boolean;
}

/** Someone else was quicker, too many tries, or no answer: a person can try again, so no error page. */
const passing = (status: number | null) => status === null || [409, 412, 429].includes(status);

/** The server may have done it although no good answer came: the next try must carry the same key. */
const unsure = (status: number | null) => status === null || status === 409 || status >= 500;

/**
 * Send one change and tell the person how it went.
 *
 *     const { submit, pending } = useSubmit();
 *     const saved = await submit((key) => openSheet({ 'Idempotency-Key': key, sheetDraft }), {
 *       success: 'sheets.opened', form,
 *     });
 *     if (saved.ok) navigate(…saved.data.id…);
 *
 * A second call while the first is under way does nothing. Repeated after a lost answer with the form unchanged, the
 * key is the same, so the server does the thing once.
 */
export function useSubmit() {
  const t = useText();
  const toast = useToast();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const running = useRef(false);
  const attempt = useRef<{ content: string; key: string } | null>(null);

  if (failure) throw failure;

  function keyFor(content: string) {
    if (attempt.current?.content !== content) attempt.current = { content, key: newKey() };
    return attempt.current.key;
  }

  function explain(problem: Problem, { form, onProblem }: Options) {
    if (onProblem?.(problem)) return;
    const texts = problem.messages.map(({ text }) => text);
    if (problem.status === 401 || problem.status === 403) return; // the session has ended: api/base.ts
    if (problem.status === 422) {
      if (form) putAtFields(form, problem);
      for (const text of texts) toast.error(text);
    } else if (passing(problem.status)) {
      toast.error(
        problem.status === null ? t('error.unreachable') : texts.join(' ') || t('error.unexpected'),
      );
    } else {
      setFailure(new Failure(problem));
    }
  }

  async function submit<A extends Answer>(
    run: (idempotencyKey: string) => PromiseLike<A>,
    options: Options = {},
  ): Promise<Outcome<A>> {
    if (running.current) return { ok: false };
    running.current = true;
    setPending(true);
    const answer = await run(keyFor(JSON.stringify(options.form?.getValues() ?? null)));
    running.current = false;
    setPending(false);
    if (answer.error !== undefined) {
      const problem = problemOf(answer.error);
      if (!unsure(problem.status)) attempt.current = null;
      explain(problem, options);
      return { ok: false };
    }
    attempt.current = null;
    options.form?.resetDirty(); // saved: it may be left without a question
    if (options.success) toast.success(t(options.success), { autoClose: options.autoClose });
    return { ok: true, data: answer.data as NonNullable<A['data']> };
  }

  return { submit, pending };
}

/** Each message of a 422 at its field, and the focus at the first. */
// biome-ignore lint/suspicious/noExplicitAny: any form will do, whatever its values.
export function putAtFields(form: UseFormReturnType<any>, problem: Problem) {
  const errors: Record<string, string> = {};
  for (const { field, text } of problem.messages) {
    if (field === null || !(field in form.getValues())) continue;
    errors[field] = errors[field] ? `${errors[field]} ${text}` : text;
  }
  form.setErrors(errors);
  focusFirstError(form, errors);
}

/** `randomUUID` exists only on https and localhost; wards also run plain http inside their own network. */
export function newKey() {
  return (
    crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    )
  );
}
