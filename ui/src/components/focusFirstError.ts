import type { UseFormReturnType } from '@mantine/form';

/** Use as second argument of `form.onSubmit`: `form.onSubmit(save, (errors) => focusFirstError(form, errors))`. */
// biome-ignore lint/suspicious/noExplicitAny: any form will do, whatever its values.
export function focusFirstError(form: UseFormReturnType<any>, errors: Record<string, unknown>) {
  const first = Object.keys(form.getValues()).find((field) => errors[field]);
  if (first) window.setTimeout(() => form.getInputNode(first)?.focus());
}
