import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import { ApiError, isAborted, isUnavailable, type Problem, toProblem } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { text } from '@/i18n/messages';
import { useText } from '@/i18n/useText';
import { toast } from '@/shared/ui/toast';
import { focusFirstError } from './focusFirstError';

type Answer = { data?: unknown; error?: unknown };
type Outcome<A extends Answer> = { ok: true; data: NonNullable<A['data']> } | { ok: false };

interface Options {
  /** Toast after success. */
  success?: MessageId;
  autoClose?: number;
  /** The form whose fields show the messages of a 422. Its values stay. */
  // biome-ignore lint/suspicious/noExplicitAny: any form, with any values.
  form?: UseFormReturnType<any>;
  /** Return true if the problem is handled and needs neither toast nor error page. */
  onProblem?: (problem: Problem) => boolean;
}

/**
 * Return whether the user can fix a conflict or too many requests.
 *
 * These need no error page.
 */
const passing = (status: number | null) => status !== null && [409, 412, 429].includes(status);

/**
 * Return whether the server may have done it despite the failure.
 *
 * The next attempt must then send the same key.
 */
const isAmbiguous = (status: number | null) => status === null || status === 409 || status >= 500;

/**
 * Send one change and report the result to the user.
 *
 *
 *     const { submit, pending } = useSubmit();
 *     const saved = await submit((key) => openSheet({ 'Idempotency-Key': key, sheetDraft }), {
 *       success: 'sheets.opened', form,
 *     });
 *     if (saved.ok) navigate(…saved.data.id…);
 *
 * A second call during the first does nothing. After a lost answer with an unchanged form, the idempotency key is the
 * same, so the server does it only once. If the server is unavailable, a toast offers to retry, and the call keeps
 * waiting until the form changes.
 */
export function useSubmit() {
  const t = useText();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const running = useRef(false);
  const attempt = useRef<{ content: string; key: string } | null>(null);
  const offered = useRef<{ stands: () => boolean; withdraw: () => void } | null>(null);

  useEffect(() => {
    if (!offered.current?.stands()) offered.current?.withdraw();
  });
  useEffect(() => () => offered.current?.withdraw(), []);

  if (failure) throw failure;

  function keyFor(content: string) {
    if (attempt.current?.content !== content) attempt.current = { content, key: newIdempotencyKey() };
    return attempt.current.key;
  }

  /** Return whether to send again. */
  async function explain(problem: Problem, content: string, options: Options): Promise<boolean> {
    const { form, onProblem } = options;
    if (onProblem?.(problem)) return false;
    if (isUnavailable(problem.status))
      return offerRetry(unavailableText(problem), () => contentOf(options) === content);
    if (problem.status === 422 && form) setFieldErrors(form, problem.messages);
    if (!showProblem(problem)) setFailure(new ApiError(problem));
    return false;
  }

  /**
   * Offer a retry and return whether the user accepts.
   *
   * The offer ends when it is closed, or withdrawn because the form has changed.
   */
  function offerRetry(text: string, stands: () => boolean) {
    return new Promise<boolean>((resolve) => {
      const answer = (yes: boolean) => {
        resolve(yes);
        hide();
      };
      const offer = { stands, withdraw: () => answer(false) };
      const hide = toast.error(text, {
        autoClose: false,
        action: { label: t('action.retry'), run: () => answer(true) },
        onClose: () => {
          if (offered.current === offer) offered.current = null;
          resolve(false);
        },
      });
      offered.current = offer;
    });
  }

  async function submit<A extends Answer>(
    run: (idempotencyKey: string) => PromiseLike<A>,
    options: Options = {},
  ): Promise<Outcome<A>> {
    if (running.current) return { ok: false };
    offered.current?.withdraw();
    const content = contentOf(options);
    running.current = true;
    setPending(true);
    const answer = await run(keyFor(content));
    running.current = false;
    setPending(false);
    if (answer.error !== undefined) {
      if (isAborted(answer.error)) return { ok: false };
      const problem = toProblem(answer.error);
      if (!isAmbiguous(problem.status)) attempt.current = null;
      const again = await explain(problem, content, options);
      return again ? submit(run, options) : { ok: false };
    }
    attempt.current = null;
    options.form?.resetDirty(); // saved: leaving the page needs no confirmation
    if (options.success) toast.success(t(options.success), { autoClose: options.autoClose });
    return { ok: true, data: answer.data as NonNullable<A['data']> };
  }

  return { submit, pending };
}

const contentOf = ({ form }: Options) => JSON.stringify(form?.getValues() ?? null);

const textOf = ({ messages }: Problem) => messages.map(({ text }) => text).join(' ');
const unavailableText = (problem: Problem) => textOf(problem) || text('error.unreachable');

/**
 * Show a problem as toasts.
 *
 * Return false if only the error page can, because the user cannot fix it.
 */
export function showProblem(problem: Problem): boolean {
  const { status, messages } = problem;
  if (status === 401 || status === 403) return true; // the session has ended: api/base.ts
  if (status === 422) for (const message of messages) toast.error(message.text);
  else if (isUnavailable(status)) toast.error(unavailableText(problem));
  else if (passing(status)) toast.error(textOf(problem) || text('error.unexpected'));
  else return false;
  return true;
}

/** Show each message of a 422 at its field, and focus the first one. */
// biome-ignore lint/suspicious/noExplicitAny: any form, with any values.
export function setFieldErrors(form: UseFormReturnType<any>, messages: Problem['messages']) {
  const errors: Record<string, string> = {};
  for (const { field, text } of messages) {
    // `lines.3.quantity` belongs to the form's `lines`.
    if (field === null || !((field.split('.')[0] as string) in form.getValues())) continue;
    errors[field] = errors[field] ? `${errors[field]} ${text}` : text;
  }
  form.setErrors(errors);
  focusFirstError(form, errors);
}
