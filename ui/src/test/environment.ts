import { builtinEnvironments } from 'vitest/runtime';

const page = builtinEnvironments['happy-dom'];
const OF_NODE = ['fetch', 'Request', 'Response', 'Headers', 'FormData', 'Blob', 'File'] as const;

/** Test environment: happy-dom with Node's network API, which the mock server intercepts. */
export default {
  ...page,
  async setup(global: typeof globalThis, options: Record<string, unknown>) {
    const ofNode = Object.fromEntries(OF_NODE.map((name) => [name, global[name]]));
    const running = await page.setup(global, options);
    Object.assign(global, ofNode);
    return running;
  },
};
