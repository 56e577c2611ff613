import { useMatches } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useToastPlace } from '@/shared/dialogs/ToastPlace';

/**
 * The toasts, away from what the user is about to press.
 *
 * They are in the page's own place, if it has one, or else in a corner; on a phone, at the bottom of the screen.
 */
export default function Toasts() {
  const position = useMatches({ base: 'top-center', sm: 'bottom-right' } as const);
  const place = useToastPlace();
  return (
    <Notifications
      // The portal does not move.
      key={place ? 'page' : 'corner'}
      portalProps={place ? { target: place } : undefined}
      position={position}
      limit={5}
    />
  );
}
