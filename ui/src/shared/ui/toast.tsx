import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { text } from '@/i18n/messages';

interface Action {
  label: string;
  run: () => void;
}

interface Options {
  autoClose?: number | false;
  /** A button that responds to it, and a second one. */
  action?: Action;
  other?: Action;
  /** What it is about, in a second line. */
  detail?: string;
  onClose?: () => void;
  /** The name of a series, of which only the latest is shown. */
  series?: string;
}

/** Toasts: short notices of success or failure. */
export const toast = {
  success: (message: string, options?: Options) => show('petrol', message, options),
  error: (message: string, options?: Options) => show('red', message, options),
};

/** Show a toast and return a function that hides it. */
function show(color: string, message: string, options: Options = {}) {
  const { action, other, detail, series } = options;
  // The same text renews its toast: ten copies would cover the page.
  const id = series ?? [color, message, detail].filter(Boolean).join(' ');
  notifications.hide(id);
  notifications.show({
    id,
    message: action ? (
      <WithActions message={message} detail={detail} actions={other ? [other, action] : [action]} />
    ) : (
      <span>{message}</span>
    ),
    color,
    autoClose: options.autoClose ?? 5000,
    onClose: options.onClose,
    closeButtonProps: { 'aria-label': text('toast.close') },
  });
  return () => notifications.hide(id);
}

interface WithActionsProps {
  message: string;
  detail: string | undefined;
  actions: Action[];
}

function WithActions({ message, detail, actions }: WithActionsProps) {
  return (
    <Group justify="space-between" gap="sm" wrap={actions.length > 1 ? 'wrap' : 'nowrap'}>
      {detail ? (
        <div>
          <div>{message}</div>
          <b>{detail}</b>
        </div>
      ) : (
        <span>{message}</span>
      )}
      <Group gap="xs" ml="auto" wrap="nowrap">
        {actions.map(({ label, run }) => (
          <Button key={label} variant="default" flex="none" onClick={run}>
            {label}
          </Button>
        ))}
      </Group>
    </Group>
  );
}
