import { notifications } from '@mantine/notifications';
import { configure } from '@testing-library/react';
import { vi } from 'vitest';
import { storePatience } from '@/device/database';

// A test waits for what it wants to see. These limits only end what would never end: a page's module loads when its
// first test opens it, which takes seconds, and ten times as long on a slow machine.
const PATIENCE_MS = 120_000;

configure({ asyncUtilTimeout: PATIENCE_MS });

// By default it gives up after one second.
const { waitFor } = vi;
vi.waitFor = (callback) => waitFor(callback, { timeout: PATIENCE_MS });

// A store that answers late on a slow machine is not one that does not answer.
storePatience.ms = 600_000;

// A message that closes after a second may be gone before a slow machine has drawn the page below it.
const { show } = notifications;
Object.assign(notifications, {
  show: ((message, store) => show({ ...message, autoClose: false }, store)) satisfies typeof show,
});
