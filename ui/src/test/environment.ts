import { builtinEnvironments } from 'vitest/runtime';

const page = builtinEnvironments['happy-dom'];
const OF_NODE = ['fetch', 'Request', 'Response', 'Headers', 'FormData', 'Blob', 'File'] as const;

/** A page for tests. What goes over the wire is Node's, as the made-up server reads it. */
export default {
  ...page,
  async setup(global: typeof globalThis, options: Record<string, unknown>) {
    const ofNode = Object.fromEntries(OF_NODE.map((name) => [name, global[name]]));
    const running = await page.setup(global, options);
    Object.assign(global, ofNode);
    return running;
  },
};
