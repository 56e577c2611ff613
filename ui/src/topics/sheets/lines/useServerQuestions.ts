import type { UseFormReturnType } from '@mantine/form';
import { useRef } from 'react';
import type { Problem } from '@/api/problem';
import { useText } from '@/i18n/useText';

/**
 * Show the server's questions at the quantity.
 *
 * Submitting again without changes acknowledges them.
 */
// biome-ignore lint/suspicious/noExplicitAny: works with any form that has a quantity.
export function useServerQuestions(form: UseFormReturnType<any>) {
  const t = useText();
  const asked = useRef<{ values: string; codes: string[] } | null>(null);
  const written = () => JSON.stringify(form.getValues());
  const acknowledged = () => (asked.current?.values === written() ? asked.current.codes : []);
  return {
    acknowledged,
    /** Show the errors at the field; true if all of them are questions. */
    ask({ status, messages }: Problem): boolean {
      const isQuestion = messages.length > 0 && messages.every((one) => one.acknowledgeable);
      if (status !== 422 || !isQuestion) return false;
      const codes = messages.map(({ code }) => code ?? '');
      asked.current = { values: written(), codes: [...acknowledged(), ...codes] };
      const texts = messages.map(({ text }) => text);
      form.setFieldError('quantity', [...texts, t('scan.again')].join(' '));
      const field = form.getInputNode('quantity') as HTMLInputElement | null;
      field?.focus();
      field?.select();
      return true;
    },
  };
}
