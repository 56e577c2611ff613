import { useMatches } from '@mantine/core';
import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Out of the way of what a person is about to press: on a phone that is below. */
export default function Toasts() {
  const position = useMatches({ base: 'top-center', sm: 'bottom-right' } as const);
  return <Notifications position={position} limit={5} />;
}
