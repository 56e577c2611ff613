/// <reference types="vitest/config" />
import { fileURLToPath } from 'node:url';
import { parse } from '@formatjs/icu-messageformat-parser';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Messages are parsed while building, so that the browser need not load the parser. */
const parsedMessages: Plugin = {
  name: 'parsed-messages',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/i18n\/e[sn]\.json$/.test(id)) return null;
    const messages: Record<string, string> = JSON.parse(code);
    const parsed = Object.entries(messages).map(([key, text]) => [
      key,
      /[{<'#]/.test(text) ? parse(text) : [{ type: 0, value: text }],
    ]);
    return { code: JSON.stringify(Object.fromEntries(parsed)), map: null };
  },
};

export default defineConfig(({ command }) => ({
  plugins: [react(), parsedMessages],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      ...(command === 'build' && {
        '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
      }),
    },
  },
  build: { assetsInlineLimit: 0, manifest: true },
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  preview: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  test: {
    environment: 'jsdom',
    setupFiles: './src/test/setup.ts',
    restoreMocks: true,
    testTimeout: 20_000,
  },
}));
