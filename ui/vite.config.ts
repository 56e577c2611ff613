/// <reference types="vitest/config" />
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
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

/** Beside each file that it makes smaller its brotli and its gzip, which the server sends as they are. */
const compressedFiles: Plugin = {
  name: 'compressed-files',
  apply: 'build',
  closeBundle() {
    const folder = this.environment.config.build.outDir;
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((one) => /\.(css|html|js|svg|wasm)$/.test(one))) {
      const file = join(folder, name);
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(content));
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    }
  },
};

export default defineConfig(({ command }) => ({
  plugins: [react(), parsedCatalogues, compressedFiles],
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
        // Each file is a request, with headers of almost a kilobyte.
        codeSplitting: {
          groups: [
            { name: 'login', tags: ['$initial'], priority: 2 },
            { name: 'icons', test: 'icons-react', priority: 1 },
            // Of some forty pages: what fewer have would be loaded by those that have it not.
            { name: 'shared', minShareCount: 20 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  preview: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  test: {
    environment: './src/test/environment.ts',
    setupFiles: './src/test/setup.ts',
    // One page, and the modules loaded once, for all the files that a worker takes: setup.ts leaves nothing behind.
    isolate: false,
    pool: 'threads',
    restoreMocks: true,
    testTimeout: 60_000,
    // Otherwise one core is left to whoever watches, which is half of a small machine.
    maxWorkers: '100%',
  },
}));
