import { Button, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useText } from '@/i18n/useText';
import { DialogFooter } from '@/shared/dialogs/Dialog';
import { focusFirstError } from './focusFirstError';

// biome-ignore lint/suspicious/noExplicitAny: any form, with any values.
type AnyValues = Record<string, any>;

interface Props<Values extends AnyValues> {
  form: UseFormReturnType<Values>;
  onSubmit: (values: Values) => void | Promise<void>;
  onCancel: () => void;
  /** Label of the button that submits. */
  action: string;
  pending: boolean;
  /** Whether submitting removes something. */
  danger?: boolean;
  disabled?: boolean;
  /** Leaves space for the list below a field. */
  minHeight?: string;
  /** A button before the two. */
  extra?: ReactNode;
  children: ReactNode;
}

/** The form of a `Dialog`: fields, and below them the buttons to cancel and submit. */
export function DialogForm<Values extends AnyValues>({
  form,
  onSubmit,
  onCancel,
  action,
  pending,
  danger,
  disabled,
  minHeight,
  extra,
  children,
}: Props<Values>) {
  const t = useText();
  return (
    <form noValidate onSubmit={form.onSubmit(onSubmit, (errors) => focusFirstError(form, errors))}>
      <Stack gap="md" mih={minHeight}>
        {children}
      </Stack>
      <DialogFooter>
        {extra}
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" color={danger ? 'red' : undefined} loading={pending} disabled={disabled}>
          {action}
        </Button>
      </DialogFooter>
    </form>
  );
}
