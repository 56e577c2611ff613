import { ListTabs } from '@/shared/lists/ListTabs';

const directions = [
  { to: '/messages', label: 'messages.inbound' },
  { to: '/messages/outbound', label: 'messages.outbound' },
] as const;

/** Switch between inbound and outbound messages. */
export function MessageTabs({ at }: { at: (typeof directions)[number]['to'] }) {
  return (
    <ListTabs
      label="messages.directions"
      lists={directions.map((one) => ({ ...one, here: one.to === at }))}
    />
  );
}
