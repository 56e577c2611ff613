import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { text } from '@/i18n/messages';

interface Options {
  autoClose?: number | false;
  /** A button that responds to it. */
  action?: { label: string; run: () => void };
  onClose?: () => void;
}

/** Toasts: short notices of success or failure. */
export const toast = {
  success: (message: string, options?: Options) => show('petrol', message, options),
  error: (message: string, options?: Options) => show('red', message, options),
};

/** Show a toast and return a function that hides it. */
function show(color: string, message: string, options?: Options) {
  // The same text renews its toast: ten copies would cover the page.
  const id = `${color} ${message}`;
  notifications.hide(id);
  notifications.show({
    id,
    message: options?.action ? <WithAction message={message} {...options.action} /> : <span>{message}</span>,
    color,
    autoClose: options?.autoClose ?? 5000,
    onClose: options?.onClose,
    closeButtonProps: { 'aria-label': text('toast.close') },
  });
  return () => notifications.hide(id);
}

function WithAction({ message, label, run }: { message: string; label: string; run: () => void }) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <span>{message}</span>
      <Button variant="default" ml="auto" flex="none" onClick={run}>
        {label}
      </Button>
    </Group>
  );
}
