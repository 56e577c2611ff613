import type { UseFormReturnType } from '@mantine/form';

/**
 * Focus the first invalid field of a form.
 *
 *     form.onSubmit(save, (errors) => focusFirstError(form, errors))
 */
// biome-ignore lint/suspicious/noExplicitAny: any form, with any values.
export function focusFirstError(form: UseFormReturnType<any>, errors: Record<string, unknown>) {
  const wrong = Object.keys(errors).filter((path) => errors[path]);
  const first = Object.keys(form.getValues())
    .flatMap((field) => wrong.filter((path) => path === field || path.startsWith(`${field}.`)))
    .at(0);
  if (first) window.setTimeout(() => form.getInputNode(first)?.focus());
}
