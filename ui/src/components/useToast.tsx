import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { useText } from '@/i18n/useText';

interface Options {
  autoClose?: number;
}

export function useToast() {
  const t = useText();
  return useMemo(() => {
    const show = (color: string, message: string, options?: Options) => {
      // The same words again renew the notice: ten of them would hide the page.
      const id = `${color} ${message}`;
      notifications.hide(id);
      notifications.show({
        id,
        message,
        color,
        autoClose: options?.autoClose ?? 5000,
        closeButtonProps: { 'aria-label': t('toast.close') },
      });
    };
    return {
      success: (message: string, options?: Options) => show('petrol', message, options),
      error: (message: string, options?: Options) => show('red', message, options),
    };
  }, [t]);
}
