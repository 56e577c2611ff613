import { deviceStorage } from '@/state/storage';

const KEY = 'shortcuts';

/**
 * Setting for single-key shortcuts (WCAG 2.1.4). Speech input or an object on the keyboard may trigger them by
 * accident.
 */
export const singleKeys = {
  areOn: () => deviceStorage.getItem(KEY) !== 'off',
  turn: (on: boolean) => (on ? deviceStorage.removeItem(KEY) : deviceStorage.setItem(KEY, 'off')),
};
