import { useMatches } from '@mantine/core';
import { Notifications } from '@mantine/notifications';

/**
 * The toasts, away from what the user is about to press.
 *
 * On a phone that is the bottom of the screen.
 */
export default function Toasts() {
  const position = useMatches({ base: 'top-center', sm: 'bottom-right' } as const);
  return <Notifications position={position} limit={5} />;
}
