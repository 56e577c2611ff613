import type { UseFormReturnType } from '@mantine/form';
import { useRef } from 'react';
import type { Problem } from '@/api/problem';
import { useText } from '@/i18n/useText';

/** Show what the server asks at the quantity, and acknowledge it where the form is sent again unchanged. */
// biome-ignore lint/suspicious/noExplicitAny: any form with a quantity will do.
export function useServerQuestions(form: UseFormReturnType<any>) {
  const t = useText();
  const asked = useRef<{ values: string; codes: string[] } | null>(null);
  const written = () => JSON.stringify(form.getValues());
  const acknowledged = () => (asked.current?.values === written() ? asked.current.codes : []);
  return {
    acknowledged,
    /** True where all that was refused are questions: they stand at the field. */
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
