/// <reference types="vitest/config" />
import { fileURLToPath } from 'node:url';
import { parse } from '@formatjs/icu-messageformat-parser';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** A catalogue is built with its messages parsed, so that no browser need load the parser. */
const parsedCatalogues: Plugin = {
  name: 'parsed-catalogues',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/i18n\/e[sn]\.json$/.test(id)) return null;
    const messages = Object.entries<string>(JSON.parse(code)).map(([key, text]) => [key, parse(text)]);
    return { code: JSON.stringify(Object.fromEntries(messages)), map: null };
  },
};

/** What every page or the details page needs: in a file of its own, each would be mostly a request. */
const inTheShell = new RegExp(
  [
    'src/app/Application',
    'src/api/(download|etag|lazy)',
    'src/components/(ClampedText|EmptyState|useCameFrom|useLeaveGuard)',
    'icons/Icon(AlertTriangle|ArrowBackUp|ArrowLeft|Check|ChevronDown|Pencil|Trash|X)',
  ]
    .map((file) => `${file}\\.(mjs|tsx?)$`)
    .join('|'),
);

export default defineConfig(({ command }) => ({
  plugins: [react(), parsedCatalogues],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      ...(command === 'build' && {
        '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
      }),
    },
  },
  build: {
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      output: {
        // In a few large files gzip saves 8 kB on the details page that it does not save in forty small ones.
        codeSplitting: {
          groups: [
            { name: 'login', tags: ['$initial'], priority: 2 },
            {
              name: 'work',
              test: inTheShell,
              priority: 1,
            },
            { name: 'search', test: 'src/components/SearchSelect.tsx' },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  preview: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  test: {
    environment: 'jsdom',
    setupFiles: './src/test/setup.ts',
    // One jsdom, and the modules loaded once, for all the files that a worker takes: setup.ts leaves nothing behind.
    isolate: false,
    pool: 'threads',
    restoreMocks: true,
    testTimeout: 20_000,
    // Otherwise one core is left to whoever watches, which is half of a small machine.
    maxWorkers: '100%',
  },
}));
