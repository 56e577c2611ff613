import { useMatches } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useLayoutEffect, useState } from 'react';
import { useToastPlace } from '@/shared/dialogs/ToastPlace';

/**
 * The toasts, away from what the user is about to press.
 *
 * They are in the page's own place, if it has one, or else in a corner; on a phone, at the bottom of the screen. Between
 * places they move: drawn a second time, they would be read out twice and stay twice as long.
 */
export default function Toasts() {
  const position = useMatches({ base: 'top-center', sm: 'bottom-right' } as const);
  const place = useToastPlace();
  const [holder] = useState(() => document.createElement('div'));
  useLayoutEffect(() => (place ?? document.body).append(holder), [place, holder]);
  useLayoutEffect(() => () => holder.remove(), [holder]);
  return <Notifications portalProps={{ target: holder }} position={position} limit={5} />;
}
