import type { UseFormReturnType } from '@mantine/form';

/**
 * Ask a question at a field, and return whether the form may be submitted.
 *
 * Submitting again without a change of the field confirms it.
 */
export function confirmInField(
  // biome-ignore lint/suspicious/noExplicitAny: works with any form.
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
