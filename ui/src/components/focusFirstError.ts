import type { UseFormReturnType } from '@mantine/form';

/** Use as second argument of `form.onSubmit`: `form.onSubmit(save, (errors) => focusFirstError(form, errors))`. */
// biome-ignore lint/suspicious/noExplicitAny: any form will do, whatever its values.
export function focusFirstError(form: UseFormReturnType<any>, errors: Record<string, unknown>) {
  const wrong = Object.keys(errors).filter((path) => errors[path]);
  const first = Object.keys(form.getValues())
    .flatMap((field) => wrong.filter((path) => path === field || path.startsWith(`${field}.`)))
    .at(0);
  if (first) window.setTimeout(() => form.getInputNode(first)?.focus());
}
