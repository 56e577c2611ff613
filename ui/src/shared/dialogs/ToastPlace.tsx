import { useSyncExternalStore } from 'react';
import { openLayers } from './useReturnFocus';

let place: HTMLElement | null = null;
const listeners = new Set<() => void>();

function setPlace(element: HTMLElement | null) {
  place = element;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  const leave = openLayers.subscribe(listener);
  return () => {
    listeners.delete(listener);
    leave();
  };
};

/** Where a page shows toasts in itself, so that they cover nothing of it. */
export const ToastPlace = ({ className }: { className?: string }) => (
  <div ref={setPlace} className={className} />
);

/** Return the place of the page, or null if toasts lie above it. They also lie above an open dialog. */
export const useToastPlace = () =>
  useSyncExternalStore(subscribe, () => (openLayers.count() > 0 ? null : place));
