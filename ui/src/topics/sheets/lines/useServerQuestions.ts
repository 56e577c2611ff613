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
  /** The values with a quantity of 0 that were asked about. */
  const zero = useRef<string | null>(null);
  const written = () => JSON.stringify(form.getValues());
  const acknowledged = () => (asked.current?.values === written() ? asked.current.codes : []);
  /** Show a question at the quantity. */
  function show(question: string) {
    form.setFieldError('quantity', question);
    const field = form.getInputNode('quantity') as HTMLInputElement | null;
    field?.focus();
    field?.select();
  }
  return {
    acknowledged,
    /** Ask about a quantity of 0 that was not recorded before; true if there is nothing to ask. */
    confirmZero(before?: number): boolean {
      const { quantity } = form.getValues();
      if (quantity !== 0 || before === 0 || zero.current === written()) return true;
      zero.current = written();
      show(t('details.quantityIsZero'));
      return false;
    },
    /** Show the errors at the field; true if all of them are questions. */
    ask({ status, messages }: Problem): boolean {
      const isQuestion = messages.length > 0 && messages.every((one) => one.acknowledgeable);
      if (status !== 422 || !isQuestion) return false;
      const codes = messages.map(({ code }) => code ?? '');
      asked.current = { values: written(), codes: [...acknowledged(), ...codes] };
      const texts = messages.map(({ text }) => text);
      show([...texts, t('scan.again')].join(' '));
      return true;
    },
  };
}
