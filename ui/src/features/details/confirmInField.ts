import type { UseFormReturnType } from '@mantine/form';

/** Asks a question at a field; whoever goes on without changing anything there has said yes. True when it may go on. */
export function confirmInField(
  // biome-ignore lint/suspicious/noExplicitAny: any form will do, whatever its values.
  form: UseFormReturnType<any>,
  field: string,
  question: string | null,
): boolean {
  if (question === null || form.errors[field] === question) return true;
  form.setFieldError(field, question);
  const input = form.getInputNode(field) as HTMLInputElement | null;
  input?.focus();
  input?.select();
  return false;
}
